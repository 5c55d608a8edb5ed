package nodepool.itest.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A bundle as if it had been released under another version: the same classes behind another manifest. */
final class BundleVersion {

    private BundleVersion() {}

    /** Writes the copy; it is whole before it has its name, and takes the place of what had that name. */
    static void write(Path bundle, String version, Path copy) throws IOException {
        Path part = Files.createTempFile(copy.toAbsolutePath().getParent().getParent(), "bundle", ".part");
        try (JarFile jar = new JarFile(bundle.toFile())) {
            Manifest manifest = new Manifest(jar.getManifest());
            manifest.getMainAttributes().putValue("Bundle-Version", version);
            try (OutputStream out = Files.newOutputStream(part);
                    JarOutputStream copied = new JarOutputStream(out, manifest)) {
                for (JarEntry entry : jar.stream().toList()) {
                    if (!entry.isDirectory() && !entry.getName().equals(JarFile.MANIFEST_NAME)) {
                        copied.putNextEntry(new JarEntry(entry.getName()));
                        try (InputStream content = jar.getInputStream(entry)) {
                            content.transferTo(copied);
                        }
                    }
                }
            }
        }
        Files.move(part, copy, StandardCopyOption.REPLACE_EXISTING);
    }
}
