package nodepool.zk;

import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Private keys in PEM files. Python takes RSA keys in the older form (PKCS#1) too, ZooKeeper's client only those in PKCS#8,
 * which is the older form with a few bytes around it.
 */
final class PemKey {

    private static final Pattern PKCS1 =
            Pattern.compile("-----BEGIN RSA PRIVATE KEY-----\\s+([A-Za-z0-9+/=\\s]+)-----END RSA PRIVATE KEY-----");

    /** Version 0, then the algorithm: {@code SEQUENCE {rsaEncryption, NULL}}. */
    private static final byte[] RSA = {
        2, 1, 0, 0x30, 13, 6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 13, 1, 1, 1, 5, 0
    };

    private static final byte SEQUENCE = 0x30;
    private static final byte OCTETS = 4;

    private PemKey() {}

    /** The text with its RSA key in PKCS#8 form; anything else as it is. */
    static String inPkcs8(String pem) {
        Matcher key = PKCS1.matcher(pem);
        if (!key.find()) {
            return pem;
        }
        byte[] old = Base64.getMimeDecoder().decode(key.group(1));
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(wrapped(old))
                + "\n-----END PRIVATE KEY-----\n";
    }

    private static byte[] wrapped(byte[] pkcs1) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.writeBytes(RSA);
        content.writeBytes(element(OCTETS, pkcs1));
        return element(SEQUENCE, content.toByteArray());
    }

    /** Tag, length, content; a length above 127 has its own length in front. */
    private static byte[] element(byte tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(content.length) + 7) / 8;
            out.write(0x80 | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                out.write(content.length >> (8 * i));
            }
        }
        out.writeBytes(content);
        return out.toByteArray();
    }
}
