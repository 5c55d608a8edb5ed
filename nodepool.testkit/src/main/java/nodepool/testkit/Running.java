package nodepool.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** A program that runs on, and what it has printed. Closing it kills it and what it has started. */
public final class Running implements AutoCloseable {

    /** How long anything may take before a test gives up. */
    public static final Duration DEADLINE = Duration.ofMinutes(2);

    private record Wait(Predicate<String> wanted, CompletableFuture<String> line) {}

    private final Process process;
    private final Thread reader;
    private final List<String> lines = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();
    private boolean ended;

    private Running(Process process) {
        this.process = process;
        this.reader = new Thread(this::read, "output of " + process.pid());
        reader.setDaemon(true);
    }

    public static Running start(Map<String, String> environment, List<String> command) throws IOException {
        // In the background of a script SIGINT is ignored, and what is ignored is inherited.
        List<String> interruptible = new ArrayList<>(List.of("env", "--default-signal=INT"));
        interruptible.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(interruptible).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Running running = new Running(builder.start());
        running.reader.start();
        return running;
    }

    private void read() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                take(line);
            }
        } catch (IOException closed) {
            take("output closed: " + closed.getMessage());
        }
        end();
    }

    private synchronized void take(String line) {
        lines.add(line);
        for (Wait wait : waits) {
            if (wait.wanted().test(line)) {
                wait.line().complete(line);
            }
        }
    }

    private synchronized void end() {
        ended = true;
        waits.forEach(wait -> wait.line().completeExceptionally(new IOException("it has ended")));
    }

    /** Waits for a line with this text, printed already or to come. */
    public String await(String text) throws InterruptedException {
        return await(line -> line.contains(text), text);
    }

    /** Waits for a line with this text that is printed after {@code known} lines were. */
    public String awaitAfter(int known, String text) throws InterruptedException {
        return await(known, line -> line.contains(text), text);
    }

    /** Waits for such a line, printed already or to come. */
    public String await(Predicate<String> wanted, String name) throws InterruptedException {
        return await(0, wanted, name);
    }

    private String await(int known, Predicate<String> wanted, String name) throws InterruptedException {
        CompletableFuture<String> line = new CompletableFuture<>();
        synchronized (this) {
            lines.stream().skip(known).filter(wanted).findFirst().ifPresent(line::complete);
            waits.add(new Wait(wanted, line));
            if (ended) {
                line.completeExceptionally(new IOException("it has ended"));
            }
        }
        try {
            return line.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException never) {
            throw new AssertionError("never printed: " + name + "; but this:\n" + all(), never);
        }
    }

    /** How many lines it has printed so far. */
    public synchronized int size() {
        return lines.size();
    }

    /** How many of its lines have this text. */
    public synchronized long count(String text) {
        return lines.stream().filter(line -> line.contains(text)).count();
    }

    /** All it has printed so far. */
    public synchronized String all() {
        return String.join("\n", lines);
    }

    public long pid() {
        return process.pid();
    }

    /** Asks it to stop, as a service manager does (SIGTERM), and gives its exit code and the rest of its output. */
    public Ended stop() throws InterruptedException {
        // Not process.destroy(): that one closes our end of its output, and its last words are lost.
        process.toHandle().destroy();
        return end(DEADLINE);
    }

    /** Interrupts it, as Ctrl-C does (SIGINT). */
    public Ended interrupt() throws IOException, InterruptedException {
        Ended.of(Map.of(), "kill", "-INT", Long.toString(pid())).orFail();
        return end(DEADLINE);
    }

    /** Gives it no chance (SIGKILL). */
    public Ended kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        return end(DEADLINE);
    }

    /** Waits until it ends by itself. */
    public Ended awaitEnd() throws InterruptedException {
        return end(DEADLINE);
    }

    private Ended end(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("did not stop:\n" + all());
        }
        reader.join(limit.toMillis());
        return new Ended(process.exitValue(), all());
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
