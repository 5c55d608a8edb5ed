package nodepool.itest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** The installation as Maven built it. */
public final class Installation {

    private Installation() {}

    public static Path home() {
        return Path.of(System.getProperty("nodepool.installation", ""));
    }

    /** A program of its {@code bin} folder. */
    public static String program(String name) {
        return home().resolve("bin").resolve(name).toString();
    }

    /** A bundle of its {@code bundles} folder. */
    public static Path bundle(String symbolicName) throws IOException {
        return Assembly.bundle(home().resolve("bundles"), symbolicName);
    }

    /**
     * Makes a copy in whose folder {@code deploy} lies a bundle that the assembly at hand does not start by itself.
     *
     * @param home the folder to make
     */
    public static Path withDeployed(Path home, String bundle) throws IOException {
        for (String part : List.of("assemblies", "bin", "bundles", "etc", "lib")) {
            copy(home().resolve(part), home.resolve(part));
        }
        Path deploy = Files.createDirectory(home.resolve("deploy"));
        try (Stream<Path> bundles = Files.list(home.resolve("bundles"))) {
            for (Path jar : bundles.filter(file -> file.getFileName().toString().startsWith(bundle + "-"))
                    .toList()) {
                Files.copy(jar, deploy.resolve(jar.getFileName()));
            }
        }
        return home;
    }

    private static void copy(Path folder, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(folder.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }
}
