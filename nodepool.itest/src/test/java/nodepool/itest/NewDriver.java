package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import nodepool.testkit.Ended;

/**
 * What {@code nodepool new-driver} makes for a driver called {@code acme}, compiled.
 *
 * @param project as made
 * @param classes its classes, tests included
 */
record NewDriver(Path project, Path classes) {

    private static final String COMPONENT = """
            <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.4.0" name="nodepool.driver.acme.AcmeDriver">
              <property name="nodepool.driver" value="acme"/>
              <service><provide interface="nodepool.api.driver.Driver"/></service>
              <implementation class="nodepool.driver.acme.AcmeDriver"/>
            </scr:component>
            """;

    static NewDriver make(Path folder) throws IOException, InterruptedException {
        Path project = folder.resolve("acme");
        Ended.of(Map.of(), Installation.program("nodepool"), "new-driver", "acme", project.toString())
                .orFail();
        Path classes = Files.createDirectories(folder.resolve("classes"));
        compile(project, classes);
        Files.copy(project.resolve("src/test/resources/nodepool.yaml"), classes.resolve("nodepool.yaml"));
        return new NewDriver(project, classes);
    }

    private static void compile(Path project, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> sources = Files.walk(project)) {
            List<Path> java =
                    sources.filter(file -> file.toString().endsWith(".java")).toList();
            List<String> options =
                    List.of("-proc:none", "-d", classes.toString(), "-Xlint:all,-processing,-classfile", "-Werror");
            boolean fine = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjectsFromPaths(java))
                    .call();
            assertTrue(fine, messages::toString);
        }
    }

    /** Writes the bundle, whole before it has its name; a newer version takes the place of the older. */
    void bundle(Path file, String version) throws IOException {
        bundle(file, version, Map.of(), COMPONENT);
    }

    /** Writes a bundle whose component cannot be made. */
    void bundleWithoutImplementation(Path file, String version) throws IOException {
        bundle(
                file,
                version,
                Map.of(),
                COMPONENT.replace("class=\"nodepool.driver.acme.", "class=\"nodepool.driver.none."));
    }

    /** Writes the bundle with some lines of its manifest changed or added. */
    void bundle(Path file, String version, Map<String, String> changed) throws IOException {
        bundle(file, version, changed, COMPONENT);
    }

    private void bundle(Path file, String version, Map<String, String> changed, String component) throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Bundle-ManifestVersion", "2");
        main.putValue("Bundle-SymbolicName", "nodepool.driver.acme");
        main.putValue("Bundle-Version", version);
        main.putValue("Service-Component", "OSGI-INF/acme.xml");
        main.putValue(
                "Import-Package",
                "nodepool.api.config,nodepool.api.driver,nodepool.api.node,nodepool.api.quota,"
                        + "nodepool.driver.statemachine");
        changed.forEach(main::putValue);
        Path part = Files.createTempFile(project, "acme", ".part");
        try (OutputStream out = Files.newOutputStream(part);
                JarOutputStream jar = new JarOutputStream(out, manifest);
                Stream<Path> all = Files.walk(classes)) {
            jar.putNextEntry(new JarEntry("OSGI-INF/acme.xml"));
            jar.write(component.getBytes(StandardCharsets.UTF_8));
            for (Path one : all.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(new JarEntry(classes.relativize(one).toString()));
                Files.copy(one, jar);
            }
        }
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
