package nodepool.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.CodeSigner;
import java.security.PublicKey;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/** Whether a jar is signed, all of it, with one of some keys: what {@code jarsigner} makes and the JDK verifies. */
final class SignedJar {

    /** What signatures consist of is not signed itself. */
    private static final Pattern OF_SIGNATURES =
            Pattern.compile("META-INF/(MANIFEST\\.MF|SIG-[^/]*|[^/]*\\.(SF|RSA|DSA|EC))", Pattern.CASE_INSENSITIVE);

    private SignedJar() {}

    /** @throws RefusedException saying what is wrong with the signature, or that there is none */
    static void require(Path file, Collection<PublicKey> keys) throws IOException, RefusedException {
        Set<String> names = new HashSet<>();
        boolean empty = true;
        try (JarFile jar = new JarFile(file.toFile(), true)) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                if (!names.add(entry.getName())) {
                    throw new RefusedException("it contains " + entry.getName() + " twice");
                }
                if (!entry.isDirectory()
                        && !OF_SIGNATURES.matcher(entry.getName()).matches()) {
                    readToEnd(jar, entry);
                    require(entry, keys);
                    empty = false;
                }
            }
        } catch (SecurityException altered) {
            throw new RefusedException("its signature does not fit its content: " + altered.getMessage());
        }
        if (empty) {
            throw new RefusedException("it contains nothing");
        }
    }

    /** Only what was read was verified. */
    private static void readToEnd(JarFile jar, JarEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }

    private static void require(JarEntry entry, Collection<PublicKey> keys) throws RefusedException {
        CodeSigner[] signers = entry.getCodeSigners();
        if (signers == null) {
            throw new RefusedException(entry.getName() + " in it is not signed");
        }
        boolean ours = List.of(signers).stream()
                .map(signer ->
                        signer.getSignerCertPath().getCertificates().get(0).getPublicKey())
                .anyMatch(keys::contains);
        if (!ours) {
            throw new RefusedException(entry.getName() + " in it is signed with a key that is not on the list");
        }
    }
}
