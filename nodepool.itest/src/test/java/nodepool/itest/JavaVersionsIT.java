package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import nodepool.testkit.Ended;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The quick start under every Java of this machine that is new enough. */
class JavaVersionsIT {

    private static final int OLDEST = 17;

    record Jdk(Path home, int version) {

        private static Stream<Jdk> at(Path home) {
            Path release = home.resolve("release");
            if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isReadable(release)) {
                return Stream.of();
            }
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(release)) {
                properties.load(reader);
                String version = properties.getProperty("JAVA_VERSION", "0").replace("\"", "");
                return Stream.of(new Jdk(home, Integer.parseInt(version.split("\\.")[0])));
            } catch (IOException | NumberFormatException unknown) {
                return Stream.of();
            }
        }

        @Override
        public String toString() {
            return "Java " + version;
        }
    }

    /** Those of the machine, and the one that runs the tests. */
    static List<Jdk> jdks() throws IOException {
        Path folder = Path.of("/usr/lib/jvm");
        try (Stream<Path> installed = Files.isDirectory(folder) ? Files.list(folder) : Stream.of()) {
            return Stream.concat(Stream.of(Path.of(System.getProperty("java.home"))), installed)
                    .map(JavaVersionsIT::real)
                    .distinct()
                    .flatMap(Jdk::at)
                    .filter(jdk -> jdk.version() >= OLDEST)
                    .sorted(Comparator.comparingInt(Jdk::version))
                    .toList();
        }
    }

    private static Path real(Path link) {
        try {
            return link.toRealPath();
        } catch (IOException dangling) {
            return link;
        }
    }

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("jdks")
    void it_starts_serves_and_stops(Jdk jdk) throws Exception {
        Map<String, String> environment = Map.of("JAVA_HOME", jdk.home().toString());
        try (Quickstart quickstart = Quickstart.start(folder, environment)) {
            assertEquals(
                    jdk.home().resolve("bin/java").toString(),
                    ProcessHandle.of(quickstart.process().pid())
                            .flatMap(handle -> handle.info().command())
                            .orElse("unknown"));
            Ended got = quickstart.nodepool("request", "small", "--wait");
            assertEquals(0, got.code(), got.output());

            Ended ended = quickstart.process().interrupt();
            assertEquals(0, ended.code(), ended.output());
            // What the JVM itself has to complain about begins so.
            assertFalse(ended.output().contains("WARNING:"), ended.output());
            assertFalse(got.output().contains("WARNING:"), got.output());
        }
    }
}
