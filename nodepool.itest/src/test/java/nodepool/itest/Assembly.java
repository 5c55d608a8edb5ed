package nodepool.itest;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarFile;
import org.osgi.framework.Constants;

/**
 * What an assembly of the installation consists of.
 *
 * @param bundles in the order of the assembly's file
 * @param systemPackages what the framework offers from its own class path
 */
record Assembly(List<Path> bundles, List<String> systemPackages) {

    static Assembly read(Path installation, String name) throws IOException {
        Properties own = load(installation.resolve("assemblies").resolve(name + ".bndrun"));
        Properties shared = load(installation.resolve("assemblies").resolve("runtime.bnd"));
        List<Path> bundles = new ArrayList<>();
        for (String clause : clauses(own.getProperty("-runbundles", ""))) {
            bundles.add(bundle(installation.resolve("bundles"), clause.replaceAll(";.*", "")));
        }
        return new Assembly(bundles, clauses(shared.getProperty("-runsystempackages", "")));
    }

    /** The file of a bundle, found by what its manifest says: its name is the one it has in a Maven repository. */
    static Path bundle(Path folder, String symbolicName) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
            for (Path file : files) {
                try (JarFile jar = new JarFile(file.toFile(), false)) {
                    String name = jar.getManifest().getMainAttributes().getValue(Constants.BUNDLE_SYMBOLICNAME);
                    if (name != null && name.replaceAll("\\s*;.*", "").equals(symbolicName)) {
                        return file;
                    }
                }
            }
        }
        throw new IOException("no bundle " + symbolicName + " in " + folder);
    }

    private static Properties load(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        return properties;
    }

    /** Split at the commas outside of quotes. */
    private static List<String> clauses(String header) {
        return Arrays.stream(header.split(",(?=(?:[^']*'[^']*')*[^']*$)"))
                .map(String::strip)
                .filter(clause -> !clause.isEmpty())
                .toList();
    }
}
