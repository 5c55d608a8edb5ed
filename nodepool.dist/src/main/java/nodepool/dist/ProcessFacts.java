package nodepool.dist;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What an operator wants to know about a fresh process: how long it took, how large it is. */
final class ProcessFacts {

    private ProcessFacts() {}

    static String describe(int bundles) {
        Duration age = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
        return "%d bundles in %.2f s, %s resident, Java %s, process %d"
                .formatted(
                        bundles,
                        age.toMillis() / 1000.0,
                        resident().map(kib -> kib / 1024 + " MiB").orElse("unknown size"),
                        Runtime.version().feature(),
                        ProcessHandle.current().pid());
    }

    /** KiB, where the system tells. */
    private static Optional<Long> resident() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
