package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The arrows of ARCHITECTURE.md, read from the bundles that are shipped. */
class ManifestIT {

    private static final Pattern IMPORT = Pattern.compile("(?:^|,)(nodepool\\.[a-z.]+)");

    @Test
    void bundles_import_from_the_api_only_and_drivers_from_their_base() throws IOException {
        List<String> wrong = new ArrayList<>();
        List<Path> bundles = bundles();
        assertTrue(bundles.size() >= 9, () -> "too few bundles: " + bundles);
        for (Path bundle : bundles) {
            String name = bundle.getFileName().toString().replaceAll("-\\d.*", "");
            for (String imported : imports(bundle)) {
                boolean api = imported.startsWith("nodepool.api");
                boolean base =
                        name.startsWith("nodepool.driver.") && imported.startsWith("nodepool.driver.statemachine");
                if (!api && !base && !imported.startsWith(name)) {
                    wrong.add(name + " imports " + imported);
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static List<Path> bundles() throws IOException {
        try (Stream<Path> files = Files.list(Installation.home().resolve("bundles"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("nodepool."))
                    .sorted()
                    .toList();
        }
    }

    private static java.util.Set<String> imports(Path bundle) throws IOException {
        java.util.Set<String> imports = new TreeSet<>();
        try (JarFile jar = new JarFile(bundle.toFile())) {
            String header = jar.getManifest().getMainAttributes().getValue("Import-Package");
            String packages = header == null ? "" : header.replaceAll(";[^,\"]*(\"[^\"]*\")?", "");
            Matcher found = IMPORT.matcher(packages);
            while (found.find()) {
                imports.add(found.group(1));
            }
        }
        return imports;
    }
}
