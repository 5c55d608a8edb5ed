package nodepool.driver.statemachine.keyscan;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import nodepool.driver.statemachine.keyscan.Handshake.Progress;

/** One connection to a machine, for one key or only to see that it is accepted. Runs on the loop's thread. */
final class Connection {

    /** Told once, on the loop's thread, what came of a connection; not while it is being made. */
    interface Listener {
        void ended(Connection connection, Outcome outcome);

        /** @param why its message says what happened */
        void failed(Connection connection, Exception why);
    }

    private static final int READ_BYTES = 16_384;

    private final InetAddress address;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Optional<Handshake> handshake;
    private final Listener listener;
    private boolean over;
    private ByteBuffer sending = Handshake.greeting();

    /** @param handshake what to say; without it the connection has done its work when it is accepted */
    Connection(SelectorLoop loop, InetSocketAddress address, Optional<Handshake> handshake, Listener listener)
            throws IOException {
        this.address = address.getAddress();
        this.handshake = handshake;
        this.listener = listener;
        this.channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            boolean atOnce = channel.connect(address);
            this.key = loop.register(channel, atOnce ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT, this::ready);
        } catch (IOException failure) {
            channel.close();
            throw failure;
        } catch (UnsupportedAddressTypeException otherProtocol) {
            channel.close();
            throw new IOException("this machine cannot connect to addresses of that kind", otherProtocol);
        }
    }

    InetAddress address() {
        return address;
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
                end(new Outcome.Accepted());
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
            end(end.outcome());
        } else if (progress instanceof Progress.Send send) {
            sending = send.bytes();
            write();
        }
    }

    private void end(Outcome outcome) {
        if (!over) {
            over = true;
            listener.ended(this, outcome);
        }
    }

    void fail(Exception why) {
        if (!over) {
            over = true;
            listener.failed(this, why);
        }
    }

    /** Whoever waits for an outcome is not told any more. */
    void close() throws IOException {
        over = true;
        channel.close();
    }
}
