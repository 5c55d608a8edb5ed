package nodepool.deploy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import nodepool.testkit.Ended;

/** Real bundles, and real keys to sign them with. */
final class Jar {

    private static final String PASSWORD = "only-for-tests";

    private Jar() {}

    /** Writes a bundle with one file in it. */
    static Path bundle(Path file, String version) throws IOException {
        return bundle(file, "acme", version, Map.of());
    }

    /** Writes a bundle with one file in it and some more lines in its manifest. */
    static Path bundle(Path file, String name, String version, Map<String, String> lines) throws IOException {
        return write(file, name, version, lines, Map.of("driver.txt", version));
    }

    /** Writes a bundle that describes a component which offers a driver of that name; the component has no class. */
    static Path driver(Path file, String name, String driver) throws IOException {
        String component = """
                <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.4.0" name="driver">
                  <property name="nodepool.driver" value="%s"/>
                  <implementation class="none"/>
                </scr:component>
                """.formatted(driver);
        return write(
                file,
                name,
                "1.0.0",
                Map.of("Service-Component", "OSGI-INF/driver.xml"),
                Map.of("OSGI-INF/driver.xml", component));
    }

    private static Path write(
            Path file, String name, String version, Map<String, String> lines, Map<String, String> content)
            throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Bundle-ManifestVersion", "2");
        main.putValue("Bundle-SymbolicName", name);
        main.putValue("Bundle-Version", version);
        lines.forEach(main::putValue);
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            for (Map.Entry<String, String> entry : content.entrySet()) {
                jar.putNextEntry(new JarEntry(entry.getKey()));
                jar.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return file;
    }

    /** Writes a file into a jar that is there already. */
    static void add(Path jar, String name) throws IOException {
        try (FileSystem inside = FileSystems.newFileSystem(jar)) {
            Files.writeString(inside.getPath(name), "smuggled in");
        }
    }

    static String sha256(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    /** Makes a key called {@code owner} in the folder, and returns its certificate's file. */
    static Path certificate(Path folder, String owner) throws IOException, InterruptedException {
        Path certificate = folder.resolve(owner + ".pem");
        tool(folder, "keytool", "-genkeypair", "-alias", owner, "-keyalg", "EC", "-dname", "CN=" + owner);
        tool(folder, "keytool", "-exportcert", "-alias", owner, "-rfc", "-file", certificate.toString());
        return certificate;
    }

    static void sign(Path jar, Path folder, String owner) throws IOException, InterruptedException {
        tool(folder, "jarsigner", jar.toString(), owner);
    }

    private static void tool(Path folder, String name, String... arguments) throws IOException, InterruptedException {
        String program = Path.of(System.getProperty("java.home"), "bin", name).toString();
        String[] store = {program, "-keystore", folder.resolve("keys.p12").toString(), "-storepass", PASSWORD};
        String[] command = java.util.Arrays.copyOf(store, store.length + arguments.length);
        System.arraycopy(arguments, 0, command, store.length, arguments.length);
        Ended.of(Map.of(), command).orFail();
    }
}
