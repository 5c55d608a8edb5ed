package nodepool.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;

/** The folder of bundles that all assemblies share, known by what the jars' manifests say. */
record BundlePool(List<Jar> jars) {

    record Jar(Path file, String symbolicName, Version version) {}

    BundlePool {
        jars = List.copyOf(jars);
    }

    static BundlePool read(Path folder) throws IOException {
        List<Jar> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".jar")).toList()) {
                jar(file).ifPresent(jars::add);
            }
        }
        return new BundlePool(jars);
    }

    Path find(AssemblyFile.Entry entry) throws IOException {
        return jars.stream()
                .filter(jar -> jar.symbolicName().equals(entry.symbolicName())
                        && entry.version().includes(jar.version()))
                .max(Comparator.comparing(Jar::version))
                .map(Jar::file)
                .orElseThrow(() -> new IOException(
                        "no bundle " + entry.symbolicName() + " " + entry.version() + " in the installation"));
    }

    private static Optional<Jar> jar(Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile(), false)) {
            Manifest manifest = jar.getManifest();
            Attributes headers = manifest == null ? new Attributes() : manifest.getMainAttributes();
            String name = headers.getValue(Constants.BUNDLE_SYMBOLICNAME);
            if (name == null) {
                return Optional.empty();
            }
            return Optional.of(new Jar(
                    file,
                    BndHeader.parse(name).clauses().get(0).name(),
                    Version.parseVersion(headers.getValue(Constants.BUNDLE_VERSION))));
        }
    }
}
