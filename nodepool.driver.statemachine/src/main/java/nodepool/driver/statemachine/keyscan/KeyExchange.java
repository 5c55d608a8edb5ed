package nodepool.driver.statemachine.keyscan;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The ways to exchange keys that a scan can begin, in order of preference: RFC 8731, 5656, 8268 and 4253. A scan never
 * derives the shared secret, so all it needs is a public value that the other side accepts.
 */
enum KeyExchange {
    CURVE25519("curve25519-sha256"),
    CURVE25519_AT_FIRST("curve25519-sha256@libssh.org"),
    NISTP256("ecdh-sha2-nistp256"),
    NISTP384("ecdh-sha2-nistp384"),
    NISTP521("ecdh-sha2-nistp521"),
    GROUP14_SHA256("diffie-hellman-group14-sha256"),
    GROUP16_SHA512("diffie-hellman-group16-sha512"),
    GROUP18_SHA512("diffie-hellman-group18-sha512"),
    GROUP14_SHA1("diffie-hellman-group14-sha1"),
    GROUP1_SHA1("diffie-hellman-group1-sha1");

    private static final int CURVE25519_BYTES = 32;

    /** Less than the prime number of the smallest group, which has 1024. */
    private static final int GROUP_BITS = 1000;

    private final String method;

    KeyExchange(String method) {
        this.method = method;
    }

    /** Its name in the negotiation. */
    String method() {
        return method;
    }

    /** The first that the other side offers too. */
    static Optional<KeyExchange> among(List<String> offered) {
        return Arrays.stream(values())
                .filter(exchange -> offered.contains(exchange.method))
                .findFirst();
    }

    /** A fresh public value, as the field of the message that begins the exchange. */
    byte[] publicValue(SecureRandom random) throws GeneralSecurityException {
        return switch (this) {
            case CURVE25519, CURVE25519_AT_FIRST -> anyBytes(random);
            case NISTP256 -> point("secp256r1", 32, random);
            case NISTP384 -> point("secp384r1", 48, random);
            case NISTP521 -> point("secp521r1", 66, random);
            case GROUP14_SHA256, GROUP16_SHA512, GROUP18_SHA512, GROUP14_SHA1, GROUP1_SHA1 -> anyNumber(random);
        };
    }

    /** Every 32 bytes are a public value of Curve25519. */
    private static byte[] anyBytes(SecureRandom random) {
        byte[] value = new byte[CURVE25519_BYTES];
        random.nextBytes(value);
        return new SshWriter().string(value).bytes();
    }

    /** Every number above 1 and below the prime number is a public value of its group. */
    private static byte[] anyNumber(SecureRandom random) {
        BigInteger value = new BigInteger(GROUP_BITS, random).setBit(GROUP_BITS);
        return new SshWriter().mpint(value).bytes();
    }

    /** A point of that curve, uncompressed: a 4 and both coordinates, with which the X.509 form of a key ends. */
    private static byte[] point(String curve, int coordinateBytes, SecureRandom random)
            throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve), random);
        byte[] key = generator.generateKeyPair().getPublic().getEncoded();
        byte[] point = Arrays.copyOfRange(key, key.length - 1 - 2 * coordinateBytes, key.length);
        return new SshWriter().string(point).bytes();
    }
}
