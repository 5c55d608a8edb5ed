package nodepool.dist;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.osgi.framework.VersionRange;

/**
 * What a {@code .bndrun} file of {@code cnf} says about a running system. The resolver has written its
 * {@code -runbundles} at build time; here they are only read.
 *
 * @param bundles every bundle to start, in the order of the file
 * @param systemPackages packages of the framework's class path that bundles may import
 * @param properties framework properties
 */
record AssemblyFile(List<Entry> bundles, String systemPackages, Map<String, String> properties) {

    /**
     * One bundle.
     *
     * @param startLevel at which it starts
     * @param starts whether it starts by itself, or when another bundle starts it
     */
    record Entry(String symbolicName, VersionRange version, int startLevel, boolean starts) {}

    AssemblyFile {
        bundles = List.copyOf(bundles);
        properties = Map.copyOf(properties);
    }

    static AssemblyFile read(Path file) throws IOException {
        Properties text = load(file);
        BndHeader levels = BndHeader.parse(text.getProperty("-runbundles+", ""));
        List<Entry> bundles = new ArrayList<>();
        for (BndHeader.Clause bundle :
                BndHeader.parse(text.getProperty("-runbundles", "")).clauses()) {
            Map<String, String> how = attributes(bundle.name(), levels);
            bundles.add(new Entry(
                    bundle.name(),
                    new VersionRange(bundle.attributes().getOrDefault("version", "0")),
                    Integer.parseInt(how.getOrDefault("startlevel", "1")),
                    !"false".equals(how.get("start"))));
        }
        if (bundles.isEmpty()) {
            throw new IOException(file + " names no bundles in -runbundles");
        }
        Map<String, String> properties = new LinkedHashMap<>();
        BndHeader.parse(text.getProperty("-runproperties", ""))
                .clauses()
                .forEach(clause -> properties.putAll(clause.attributes()));
        return new AssemblyFile(bundles, text.getProperty("-runsystempackages", ""), properties);
    }

    int highestStartLevel() {
        return bundles.stream().mapToInt(Entry::startLevel).max().orElse(1);
    }

    /** The first pattern that matches counts, as with bnd itself. */
    private static Map<String, String> attributes(String symbolicName, BndHeader patterns) {
        return patterns.clauses().stream()
                .filter(clause -> matches(clause.name(), symbolicName))
                .findFirst()
                .map(BndHeader.Clause::attributes)
                .orElse(Map.of());
    }

    private static boolean matches(String pattern, String symbolicName) {
        return pattern.endsWith("*")
                ? symbolicName.startsWith(pattern.substring(0, pattern.length() - 1))
                : symbolicName.equals(pattern);
    }

    private static Properties load(Path file) throws IOException {
        Properties own = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            own.load(reader);
        }
        Properties all = new Properties();
        for (BndHeader.Clause included :
                BndHeader.parse(own.getProperty("-include", "")).clauses()) {
            all.putAll(load(file.resolveSibling(included.name().replace("${.}/", ""))));
        }
        all.putAll(own);
        return all;
    }
}
