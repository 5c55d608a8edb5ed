package nodepool.driver.statemachine.keyscan;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes the data types of SSH (RFC 4251, section 5) one after the other. Not thread-safe. */
final class SshWriter {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    SshWriter octet(int value) {
        out.write(value);
        return this;
    }

    /** The bytes alone, without their length. */
    SshWriter raw(byte[] bytes) {
        out.write(bytes, 0, bytes.length);
        return this;
    }

    SshWriter uint32(int value) {
        return raw(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
    }

    SshWriter string(byte[] bytes) {
        return uint32(bytes.length).raw(bytes);
    }

    SshWriter names(List<String> names) {
        return string(String.join(",", names).getBytes(StandardCharsets.US_ASCII));
    }

    SshWriter mpint(BigInteger value) {
        return value.signum() == 0 ? uint32(0) : string(value.toByteArray());
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
