package nodepool.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which bundles an operator trusts. A text file with one entry to a line, {@code #} begins a comment:
 *
 * <pre>
 * sha256 HEX           the bundle with this SHA-256
 * certificate FILE     every bundle signed with the key of this X.509 certificate (PEM or DER; relative to this file)
 * </pre>
 *
 * @param sums in small letters
 * @param keys whose signatures count
 */
record TrustList(Set<String> sums, Set<PublicKey> keys) {

    private static final Pattern SUM = Pattern.compile("[0-9a-f]{64}");

    TrustList {
        sums = Set.copyOf(sums);
        keys = Set.copyOf(keys);
    }

    /** Reads the file, and the certificates it names; each of them must be {@code safe}. */
    static TrustList read(Path file, OwnerOnly safe) throws IOException, RefusedException {
        safe.require(file);
        Set<String> sums = new HashSet<>();
        Set<PublicKey> keys = new HashSet<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String[] words = lines.get(i).replaceFirst("#.*", "").strip().split("\\s+", 2);
            switch (words[0]) {
                case "" -> {}
                case "sha256" -> sums.add(sum(file, i + 1, words));
                case "certificate" -> keys.add(key(file, i + 1, words, safe));
                default -> throw new RefusedException(at(file, i + 1) + "neither sha256 nor certificate: " + words[0]);
            }
        }
        return new TrustList(sums, keys);
    }

    private static String sum(Path file, int line, String[] words) throws RefusedException {
        String sum = words.length < 2 ? "" : words[1].toLowerCase(Locale.ROOT);
        if (!SUM.matcher(sum).matches()) {
            throw new RefusedException(at(file, line) + "a SHA-256 has 64 hexadecimal digits");
        }
        return sum;
    }

    private static PublicKey key(Path file, int line, String[] words, OwnerOnly safe)
            throws IOException, RefusedException {
        if (words.length < 2) {
            throw new RefusedException(at(file, line) + "which certificate?");
        }
        Path certificate = file.toAbsolutePath().resolveSibling(words[1]);
        if (!Files.isReadable(certificate)) {
            throw new RefusedException(at(file, line) + certificate + " cannot be read");
        }
        safe.require(certificate);
        try (InputStream in = Files.newInputStream(certificate)) {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(in)
                    .getPublicKey();
        } catch (CertificateException notOne) {
            throw new RefusedException(at(file, line) + certificate + " is not an X.509 certificate");
        }
    }

    private static String at(Path file, int line) {
        return file + ":" + line + ": ";
    }
}
