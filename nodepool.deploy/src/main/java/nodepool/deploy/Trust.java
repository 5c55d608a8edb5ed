package nodepool.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Which bundles may be installed: those in a folder that only its owner can write to and, if there is a {@link TrustList},
 * only those on it. Everything is read anew for each bundle, so changes count at once. Thread-safe.
 */
final class Trust {

    private final Optional<Path> list;
    private final boolean anyFolder;
    private final OwnerOnly ownerOnly;

    /**
     * @param list file with a {@link TrustList}; absent: every bundle in the folder is trusted
     * @param anyFolder whether the permissions of the folder do not matter
     */
    Trust(Optional<Path> list, boolean anyFolder, OwnerOnly ownerOnly) {
        this.list = list;
        this.anyFolder = anyFolder;
        this.ownerOnly = ownerOnly;
    }

    /**
     * Copies a bundle to where nobody can change it, and judges the copy: it alone may be installed. The caller removes it.
     */
    Path admit(Path bundle) throws IOException, RefusedException {
        if (!anyFolder) {
            ownerOnly.require(bundle);
        }
        Path copy = Files.createTempFile("nodepool-", ".jar");
        boolean admitted = false;
        try {
            String sum = copy(bundle, copy);
            if (list.isPresent()) {
                requireListed(copy, sum, list.get());
            }
            admitted = true;
            return copy;
        } finally {
            if (!admitted) {
                Files.delete(copy);
            }
        }
    }

    private void requireListed(Path copy, String sum, Path file) throws IOException, RefusedException {
        if (!Files.isReadable(file)) {
            throw new RefusedException("the trust list " + file + " cannot be read");
        }
        TrustList trusted = TrustList.read(file, ownerOnly);
        if (trusted.sums().contains(sum)) {
            return;
        }
        String notListed = "its SHA-256 " + sum + " is not on the list " + file;
        if (trusted.keys().isEmpty()) {
            throw new RefusedException(notListed);
        }
        try {
            SignedJar.require(copy, trusted.keys());
        } catch (RefusedException notSigned) {
            throw new RefusedException(notListed + ", and " + notSigned.getMessage());
        }
    }

    /** Returns the SHA-256 of what was copied, in hexadecimal digits. */
    private static String copy(Path from, Path to) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream in = Files.newInputStream(from);
                OutputStream out = new DigestOutputStream(Files.newOutputStream(to), digest)) {
            in.transferTo(out);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every JDK has SHA-256", impossible);
        }
    }
}
