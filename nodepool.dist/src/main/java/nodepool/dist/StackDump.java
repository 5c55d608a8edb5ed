package nodepool.dist;

import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes all threads to the log; every second time it also starts or ends a Flight Recorder profile. */
final class StackDump {

    private static final Logger LOG = LoggerFactory.getLogger("nodepool.stack_dump");

    private final AtomicInteger count = new AtomicInteger();
    private @Nullable Recording recording;

    synchronized void log() {
        LOG.info("{}", threads());
        if (count.incrementAndGet() % 2 == 0) {
            toggleProfile();
        }
    }

    static String threads() {
        StringBuilder text = new StringBuilder("Thread dump");
        Thread.getAllStackTraces().entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey().getName()))
                .forEach(entry -> append(text, entry));
        return text.toString();
    }

    private static void append(StringBuilder text, Map.Entry<Thread, StackTraceElement[]> entry) {
        Thread thread = entry.getKey();
        text.append("\nThread: ").append(thread.getId()).append(' ').append(thread.getName());
        text.append(" d: ").append(thread.isDaemon()).append(' ').append(thread.getState());
        for (StackTraceElement frame : entry.getValue()) {
            text.append("\n  at ").append(frame);
        }
    }

    private void toggleProfile() {
        try {
            if (recording == null) {
                recording = new Recording(Configuration.getConfiguration("profile"));
                recording.start();
                LOG.info("Profile started");
                return;
            }
            Path file = Path.of(
                    System.getProperty("java.io.tmpdir"),
                    "nodepool-%d-%d.jfr".formatted(ProcessHandle.current().pid(), count.get() / 4));
            recording.stop();
            recording.dump(file);
            recording.close();
            recording = null;
            LOG.info("Profile written to {}", file);
        } catch (IOException | ParseException | NoClassDefFoundError e) {
            LOG.warn("No profile", e);
        }
    }
}
