package nodepool.driver.statemachine.keyscan;

import static nodepool.driver.statemachine.keyscan.Messages.greeting;
import static nodepool.driver.statemachine.keyscan.Messages.init;
import static nodepool.driver.statemachine.keyscan.Messages.key;
import static nodepool.driver.statemachine.keyscan.Messages.packet;
import static nodepool.driver.statemachine.keyscan.Messages.reply;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import nodepool.driver.statemachine.keyscan.Handshake.Progress;
import org.junit.jupiter.api.Test;

class HandshakeTest {

    private static final String ECDSA = "ecdsa-sha2-nistp256";
    private static final List<String> METHODS = List.of("unheard-of", "curve25519-sha256", "ecdh-sha2-nistp256");

    private final Handshake handshake = new Handshake(EnumSet.allOf(HostKeyType.class), new SecureRandom());

    @Test
    void the_first_wanted_type_is_asked_for_and_its_key_shown() throws Exception {
        receive(greeting());
        Progress asking = receive(init(METHODS, List.of("rsa-sha2-256", ECDSA, "ssh-unheard-of")));

        assertTrue(assertInstanceOf(Progress.Send.class, asking).bytes().hasRemaining());
        assertEquals(Optional.of(HostKeyType.ECDSA_256), handshake.asked());
        assertEquals(
                new Progress.End(new Outcome.Gathered(
                        HostKeyType.ECDSA_256,
                        ECDSA + " " + Base64.getEncoder().encodeToString(key(ECDSA)),
                        Set.of(HostKeyType.RSA))),
                receive(reply(ECDSA)));
    }

    @Test
    void the_question_agrees_with_everything_but_one_exchange_and_one_type() throws Exception {
        receive(greeting());
        Progress.Send asking = assertInstanceOf(Progress.Send.class, receive(init(METHODS, List.of("ssh-rsa", ECDSA))));
        Inbox sent = new Inbox();
        sent.add(asking.bytes());

        SshReader question = new SshReader(sent.takePacket().orElseThrow());
        question.skip(17);
        assertEquals(List.of("curve25519-sha256"), question.names());
        assertEquals(List.of(ECDSA), question.names());
        assertEquals("cipher-out", question.text());
        assertEquals("cipher-in", question.text());
        assertEquals(1 + 4 + 32, sent.takePacket().orElseThrow().length);
        assertEquals(Optional.empty(), sent.takePacket());
    }

    @Test
    void bytes_may_arrive_one_by_one_and_lines_before_the_greeting() throws Exception {
        byte[] all = new SshWriter()
                .raw("Authorised use only.\r\n\r\n".getBytes(StandardCharsets.US_ASCII))
                .raw(greeting())
                .raw(packet(new byte[] {2, 0, 0, 0, 0}))
                .raw(init(METHODS, List.of("ssh-ed25519")))
                .raw(reply("ssh-ed25519"))
                .bytes();
        for (int i = 0; i < all.length - 1; i++) {
            assertInstanceOf(Progress.Send.class, receive(all[i]));
        }

        assertInstanceOf(Progress.End.class, receive(all[all.length - 1]));
    }

    @Test
    void a_host_without_a_wanted_key_ends_it() throws Exception {
        receive(greeting());

        assertEquals(new Progress.End(new Outcome.NoKey()), receive(init(METHODS, List.of("ssh-unheard-of"))));
        assertEquals(Optional.empty(), handshake.asked());
    }

    @Test
    void a_host_without_a_known_key_exchange_fails() throws Exception {
        receive(greeting());

        assertFails(
                "it offers no key exchange that is known here, only [x, y]", init(List.of("x", "y"), List.of(ECDSA)));
    }

    @Test
    void a_key_of_another_type_than_asked_for_is_not_taken() throws Exception {
        receive(greeting());
        receive(init(METHODS, List.of(ECDSA)));

        assertFails("it showed a key of another type than it was asked for: ssh-rsa", reply("ssh-rsa"));
    }

    @Test
    void a_key_that_nobody_asked_for_is_not_taken() throws Exception {
        receive(greeting());

        assertFails("it answered before it was asked", reply(ECDSA));
    }

    @Test
    void a_goodbye_is_told() throws Exception {
        receive(greeting());
        byte[] goodbye = new SshWriter()
                .octet(1)
                .uint32(2)
                .string("too many of you".getBytes(StandardCharsets.US_ASCII))
                .bytes();

        assertFails("it said goodbye: too many of you", packet(goodbye));
    }

    @Test
    void lines_without_end_are_not_ssh() {
        assertFails(
                "it does not greet as SSH does", "HTTP/1.1 400\r\n".repeat(2000).getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void a_line_without_end_is_not_ssh() {
        assertFails("it does not greet as SSH does", new byte[20_000]);
    }

    @Test
    void nonsense_after_the_greeting_is_told() throws Exception {
        receive(greeting());

        assertFails("it sent a packet of 4294967295 bytes", new byte[] {-1, -1, -1, -1, 4});
    }

    @Test
    void a_message_that_ends_early_is_told() throws Exception {
        receive(greeting());

        assertFails("it sent a message that ends early", packet(new byte[] {20, 0, 0}));
    }

    @Test
    void no_key_exchange_is_asked_for_before_the_greeting() throws Exception {
        Progress.Send nothing = assertInstanceOf(Progress.Send.class, receive(init(METHODS, List.of(ECDSA))));

        assertFalse(nothing.bytes().hasRemaining());
    }

    private void assertFails(String message, byte[] arrived) {
        assertEquals(
                message,
                assertThrows(SshException.class, () -> receive(arrived)).getMessage());
    }

    private Progress receive(byte... bytes) throws Exception {
        return handshake.receive(ByteBuffer.wrap(bytes));
    }
}
