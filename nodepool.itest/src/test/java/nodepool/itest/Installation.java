package nodepool.itest;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The installation as Maven built it, and its programs as a user starts them. */
final class Installation {

    private static final long DEADLINE_SECONDS = 120;

    private Installation() {}

    static Path home() {
        return Path.of(System.getProperty("nodepool.installation", ""));
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** A program that runs on, and what it has printed. */
    static final class Running implements AutoCloseable {
        private final Process process;
        private final List<String> lines = new ArrayList<>();
        private final List<Wait> waits = new ArrayList<>();

        private record Wait(Predicate<String> wanted, CompletableFuture<String> line) {}

        private Running(Process process) {
            this.process = process;
            Thread reader = new Thread(this::read, "output");
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    take(line);
                }
            } catch (IOException closed) {
                take("output closed: " + closed.getMessage());
            }
        }

        private synchronized void take(String line) {
            lines.add(line);
            for (Wait wait : waits) {
                if (wait.wanted().test(line)) {
                    wait.line().complete(line);
                }
            }
        }

        /** Waits for a line, printed or to come. */
        String await(Predicate<String> wanted) throws Exception {
            CompletableFuture<String> line = new CompletableFuture<>();
            synchronized (this) {
                lines.stream().filter(wanted).findFirst().ifPresent(line::complete);
                waits.add(new Wait(wanted, line));
            }
            try {
                return line.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            } catch (java.util.concurrent.TimeoutException late) {
                throw new AssertionError("never printed; but this:\n" + all(), late);
            }
        }

        synchronized String all() {
            return String.join("\n", lines);
        }

        /** Asks it to stop, as a service manager does. */
        int stop() throws InterruptedException {
            process.destroy();
            if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("did not stop:\n" + all());
            }
            return process.exitValue();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    static Running start(Map<String, String> environment, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return new Running(builder.start());
    }

    /** What a program that ends has printed, and how it ended. */
    record Ended(int code, String output) {}

    static Ended run(Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("did not end: " + String.join(" ", command));
        }
        return new Ended(process.exitValue(), output);
    }
}
