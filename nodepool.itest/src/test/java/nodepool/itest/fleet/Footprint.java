package nodepool.itest.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import nodepool.testkit.Ended;

/**
 * What a JVM holds once its garbage is collected, as {@code jcmd} and the kernel say.
 *
 * @param bundleLoaders class loaders of bundles
 * @param classes loaded, of all loaders; those of reflection and lambdas come and go by a few
 * @param heap KiB in use
 * @param threads but those of providers, which come with work and go 30 s after it
 * @param sockets open file descriptors that are sockets
 */
record Footprint(long bundleLoaders, long classes, long heap, long threads, long sockets) {

    private static final Pattern TOTAL = Pattern.compile("^Total = \\d+\\s+(\\d+)", Pattern.MULTILINE);
    private static final Pattern HEAP_USED = Pattern.compile("total \\d+K, used (\\d+)K");

    /** @param providers whose threads are not counted */
    static Footprint of(long pid, List<String> providers) throws IOException, InterruptedException {
        jcmd(pid, "GC.run");
        jcmd(pid, "GC.run"); // What was held by references that the first one has cleared.
        String loaders = jcmd(pid, "VM.classloader_stats");
        long heap = HEAP_USED
                .matcher(jcmd(pid, "GC.heap_info"))
                .results()
                .mapToLong(part -> Long.parseLong(part.group(1)))
                .sum();
        return new Footprint(
                lines(loaders, "BundleWiringImpl$BundleClassLoader"),
                total(loaders),
                heap,
                threads(pid)
                        .filter(name -> providers.stream().noneMatch(name::startsWith))
                        .count(),
                sockets(pid));
    }

    /** How often a class is loaded: once by each generation of its bundle that is still held. */
    static long loaded(long pid, String className) throws IOException, InterruptedException {
        return jcmd(pid, "VM.classloaders", "show-classes=true")
                .lines()
                .filter(line -> line.strip().endsWith(" " + className))
                .count();
    }

    /** Names of all threads of Java. */
    static Stream<String> threads(long pid) throws IOException, InterruptedException {
        return jcmd(pid, "Thread.print")
                .lines()
                .filter(line -> line.startsWith("\""))
                .map(line -> line.substring(1, line.indexOf('"', 1)));
    }

    private static String jcmd(long pid, String... command) throws IOException, InterruptedException {
        return Ended.of(
                        Map.of(),
                        Stream.concat(Stream.of("jcmd", Long.toString(pid)), Stream.of(command))
                                .toArray(String[]::new))
                .orFail();
    }

    private static long lines(String text, String part) {
        return text.lines().filter(line -> line.contains(part)).count();
    }

    private static long total(String loaders) {
        Matcher total = TOTAL.matcher(loaders);
        if (!total.find()) {
            throw new AssertionError("no total in\n" + loaders);
        }
        return Long.parseLong(total.group(1));
    }

    private static long sockets(long pid) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return open.map(Footprint::target)
                    .filter(target -> target.startsWith("socket:"))
                    .count();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Objects.toString(Files.readSymbolicLink(descriptor));
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
