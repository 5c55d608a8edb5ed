package nodepool.driver.statemachine.keyscan;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads the data types of SSH (RFC 4251, section 5) one after the other. Every method throws {@link SshException} where the
 * bytes end early. Not thread-safe.
 */
final class SshReader {

    private final ByteBuffer in;

    SshReader(byte[] bytes) {
        this.in = ByteBuffer.wrap(bytes);
    }

    void skip(int length) throws SshException {
        raw(length);
    }

    private byte[] raw(int length) throws SshException {
        if (length < 0 || length > in.remaining()) {
            throw new SshException("it sent a message that ends early");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    byte[] string() throws SshException {
        return raw(ByteBuffer.wrap(raw(Integer.BYTES)).getInt());
    }

    String text() throws SshException {
        return new String(string(), StandardCharsets.UTF_8);
    }

    List<String> names() throws SshException {
        return List.of(text().split(",", -1));
    }
}
