package nodepool.driver.statemachine.keyscan;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a host says, as bytes. */
final class Messages {

    private Messages() {}

    static byte[] greeting() {
        return "SSH-2.0-Test\r\n".getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] init(List<String> methods, List<String> keyAlgorithms) {
        SshWriter init = new SshWriter()
                .octet(20)
                .raw(new byte[16])
                .names(methods)
                .names(keyAlgorithms)
                .names(List.of("cipher-out"))
                .names(List.of("cipher-in"));
        for (int list = 0; list < 6; list++) {
            init.names(List.of());
        }
        return packet(init.octet(0).uint32(0).bytes());
    }

    static byte[] key(String type) {
        return new SshWriter()
                .string(type.getBytes(StandardCharsets.US_ASCII))
                .string(new byte[] {1, 2, 3})
                .bytes();
    }

    /** Shows the key of that type, with a signature of nothing. */
    static byte[] reply(String type) {
        return packet(new SshWriter()
                .octet(31)
                .string(key(type))
                .string(new byte[32])
                .string(new byte[64])
                .bytes());
    }

    static byte[] packet(byte[] payload) {
        return new SshWriter()
                .uint32(1 + payload.length + 4)
                .octet(4)
                .raw(payload)
                .raw(new byte[4])
                .bytes();
    }
}
