package nodepool.driver.statemachine.keyscan;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** What has arrived over a connection and is not used up yet: a greeting, then packets (RFC 4253). Not thread-safe. */
final class Inbox {

    /** Bytes of all lines of the greeting together, with room (section 4.2). */
    private static final int LONGEST_GREETING = 16_384;

    /** Bytes, with room (section 6.1). */
    private static final int LONGEST_PACKET = 65_536;

    private static final int LENGTH_FIELDS = 5;

    private ByteBuffer held = ByteBuffer.allocate(4096);
    private int greetingBytes;

    void add(ByteBuffer arrived) {
        if (held.remaining() < arrived.remaining()) {
            held.flip();
            held = ByteBuffer.allocate((held.limit() + arrived.remaining()) * 2).put(held);
        }
        held.put(arrived);
    }

    /** Whether the line that begins with {@code SSH-} is complete; takes it, and the lines before it, away. */
    boolean takeGreeting() throws SshException {
        for (Optional<String> line = takeLine(); line.isPresent(); line = takeLine()) {
            if (line.get().startsWith("SSH-")) {
                return true;
            }
        }
        if (greetingBytes + held.position() > LONGEST_GREETING) {
            throw new SshException("it does not greet as SSH does");
        }
        return false;
    }

    private Optional<String> takeLine() {
        for (int i = 0; i < held.position(); i++) {
            if (held.get(i) == '\n') {
                greetingBytes += i + 1;
                return Optional.of(new String(take(i + 1), StandardCharsets.US_ASCII));
            }
        }
        return Optional.empty();
    }

    /** The payload of the next unencrypted packet, at least one byte, as soon as it is complete. */
    Optional<byte[]> takePacket() throws SshException {
        if (held.position() < LENGTH_FIELDS) {
            return Optional.empty();
        }
        int length = held.getInt(0);
        int padding = Byte.toUnsignedInt(held.get(Integer.BYTES));
        if (length < padding + 2 || length > LONGEST_PACKET) {
            throw new SshException("it sent a packet of " + Integer.toUnsignedString(length) + " bytes");
        }
        if (held.position() < Integer.BYTES + length) {
            return Optional.empty();
        }
        byte[] packet = take(Integer.BYTES + length);
        return Optional.of(Arrays.copyOfRange(packet, LENGTH_FIELDS, packet.length - padding));
    }

    private byte[] take(int length) {
        held.flip();
        byte[] taken = new byte[length];
        held.get(taken);
        held.compact();
        return taken;
    }
}
