package nodepool.driver.statemachine.keyscan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A client's side of the beginning of SSH (RFC 4253), up to the message in which the other side shows its host key; then
 * the connection is of no more use. Bytes in, bytes out, no I/O. Not thread-safe.
 *
 * <p>Like ssh-keyscan it does not check the signature that comes with the key: what is gathered is what a machine claims,
 * and whoever connects with the gathered keys makes it prove them.
 */
final class Handshake {

    private static final byte[] GREETING = "SSH-2.0-Nodepool\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int DISCONNECT = 1;
    private static final int KEXINIT = 20;
    private static final int EXCHANGE_BEGIN = 30;
    private static final int EXCHANGE_REPLY = 31;
    private static final int COOKIE_BYTES = 16;

    /** Ciphers, MACs, compressions and languages, for both directions each. */
    private static final int REMAINING_LISTS = 8;

    /** How far a handshake is. */
    sealed interface Progress {
        /** Bytes to send now, possibly none; feed what comes back. */
        record Send(ByteBuffer bytes) implements Progress {}

        record End(Outcome outcome) implements Progress {}
    }

    private final Set<HostKeyType> wanted;
    private final SecureRandom random;
    private final Inbox inbox = new Inbox();
    private boolean greeted;
    private Optional<Asked> asked = Optional.empty();

    private record Asked(HostKeyType type, Set<HostKeyType> others) {}

    /** @param wanted key types, at least one; the first that the other side has is asked for */
    Handshake(Set<HostKeyType> wanted, SecureRandom random) {
        this.wanted = EnumSet.copyOf(wanted);
        this.random = random;
    }

    /** What we say without being asked. */
    static ByteBuffer greeting() {
        return ByteBuffer.wrap(GREETING).asReadOnlyBuffer();
    }

    /** The type that the other side was asked to show, once it has told what it offers. */
    Optional<HostKeyType> asked() {
        return asked.map(Asked::type);
    }

    /** Takes what has arrived. Fails if it is not SSH, or has no key exchange that {@link KeyExchange} knows. */
    Progress receive(ByteBuffer arrived) throws IOException, GeneralSecurityException {
        inbox.add(arrived);
        greeted = greeted || inbox.takeGreeting();
        SshWriter answer = new SshWriter();
        Optional<byte[]> packet = greeted ? inbox.takePacket() : Optional.empty();
        while (packet.isPresent()) {
            byte[] payload = packet.get();
            switch (payload[0]) {
                case KEXINIT -> {
                    Optional<byte[]> begin = begin(payload);
                    if (begin.isEmpty()) {
                        return new Progress.End(new Outcome.NoKey());
                    }
                    answer.raw(begin.get());
                }
                case EXCHANGE_REPLY -> {
                    return new Progress.End(shown(payload));
                }
                case DISCONNECT -> throw new SshException("it said goodbye: " + reason(payload));
                default -> {} // IGNORE, DEBUG and the like may come at any time
            }
            packet = inbox.takePacket();
        }
        return new Progress.Send(ByteBuffer.wrap(answer.bytes()));
    }

    /**
     * Agrees with everything the other side offers, as nothing will ever be encrypted, but for the key exchange and the type
     * of the host key; and begins the exchange. Empty if it has no wanted key.
     */
    private Optional<byte[]> begin(byte[] theirInit) throws IOException, GeneralSecurityException {
        SshReader in = new SshReader(theirInit);
        in.skip(1 + COOKIE_BYTES);
        List<String> methods = in.names();
        List<String> keyAlgorithms = in.names();
        Set<HostKeyType> offered = EnumSet.copyOf(wanted);
        offered.removeIf(type -> !type.isAmong(keyAlgorithms));
        if (offered.isEmpty()) {
            return Optional.empty();
        }
        KeyExchange exchange = KeyExchange.among(methods)
                .orElseThrow(() -> new SshException("it offers no key exchange that is known here, only " + methods));
        HostKeyType type = offered.iterator().next();
        offered.remove(type);
        asked = Optional.of(new Asked(type, offered));
        SshWriter init = new SshWriter()
                .octet(KEXINIT)
                .raw(randomBytes(COOKIE_BYTES))
                .names(List.of(exchange.method()))
                .names(type.algorithms());
        for (int list = 0; list < REMAINING_LISTS; list++) {
            init.string(in.string());
        }
        init.octet(0).uint32(0);
        SshWriter begin = new SshWriter().octet(EXCHANGE_BEGIN).raw(exchange.publicValue(random));
        return Optional.of(new SshWriter()
                .raw(packet(init.bytes()))
                .raw(packet(begin.bytes()))
                .bytes());
    }

    /** Section 6, without encryption: padded to a multiple of 8 bytes with at least 4. */
    private byte[] packet(byte[] payload) {
        int padding = 8 - (5 + payload.length) % 8;
        if (padding < 4) {
            padding += 8;
        }
        return new SshWriter()
                .uint32(1 + payload.length + padding)
                .octet(padding)
                .raw(payload)
                .raw(randomBytes(padding))
                .bytes();
    }

    private byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private Outcome shown(byte[] reply) throws SshException {
        Asked question = asked.orElseThrow(() -> new SshException("it answered before it was asked"));
        byte[] key = new SshReader(withoutKind(reply)).string();
        String name = new SshReader(key).text();
        if (!question.type().isAmong(List.of(name))) {
            throw new SshException("it showed a key of another type than it was asked for: " + name);
        }
        return new Outcome.Gathered(
                question.type(), name + " " + Base64.getEncoder().encodeToString(key), question.others());
    }

    private static String reason(byte[] goodbye) throws SshException {
        SshReader in = new SshReader(withoutKind(goodbye));
        in.skip(Integer.BYTES);
        return in.text();
    }

    private static byte[] withoutKind(byte[] message) {
        return Arrays.copyOfRange(message, 1, message.length);
    }
}
