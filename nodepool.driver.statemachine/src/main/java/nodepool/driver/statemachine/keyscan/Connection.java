package nodepool.driver.statemachine.keyscan;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import nodepool.driver.statemachine.keyscan.Handshake.Progress;

/** One connection to a machine, for one key or only to see that it is accepted. Runs on the loop's thread. */
final class Connection {

    private static final int READ_BYTES = 16_384;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Optional<Handshake> handshake;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private ByteBuffer sending = Handshake.greeting();

    /** @param handshake what to say; without it the connection has done its work when it is accepted */
    Connection(SelectorLoop loop, InetSocketAddress address, Optional<Handshake> handshake) throws IOException {
        this.handshake = handshake;
        this.channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            boolean atOnce = channel.connect(address);
            this.key = loop.register(channel, atOnce ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT, this::ready);
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    /** Fails with an {@link IOException} or {@link GeneralSecurityException} whose message says what happened. */
    CompletableFuture<Outcome> outcome() {
        return outcome;
    }

    /** The key type whose exchange has begun, if it has. */
    Optional<HostKeyType> asked() {
        return handshake.flatMap(Handshake::asked);
    }

    private void ready() {
        if (!key.isValid()) {
            return; // closed in the same turn
        }
        try {
            if (key.isConnectable()) {
                channel.finishConnect();
            }
            if (handshake.isEmpty()) {
                outcome.complete(new Outcome.Accepted());
            } else if (key.isReadable()) {
                read(handshake.get());
            } else {
                write();
            }
        } catch (IOException | GeneralSecurityException failure) {
            fail(failure);
        }
    }

    private void write() throws IOException {
        channel.write(sending);
        key.interestOps(sending.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    private void read(Handshake talk) throws IOException, GeneralSecurityException {
        ByteBuffer arrived = ByteBuffer.allocate(READ_BYTES);
        if (channel.read(arrived) < 0) {
            throw new IOException("it closed the connection");
        }
        Progress progress = talk.receive(arrived.flip());
        if (progress instanceof Progress.End end) {
            outcome.complete(end.outcome());
        } else if (progress instanceof Progress.Send send) {
            sending = send.bytes();
            write();
        }
    }

    /** Ends the wait for an outcome. */
    void fail(Exception why) {
        outcome.completeExceptionally(why);
    }

    /** Without an outcome so far, there will be none. */
    void close() throws IOException {
        channel.close();
    }
}
