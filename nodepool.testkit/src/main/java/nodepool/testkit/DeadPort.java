package nodepool.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A loopback port that refuses every connection. It is held, so nobody else can open it meanwhile. */
public final class DeadPort implements AutoCloseable {

    private final Socket held;

    private DeadPort(Socket held) {
        this.held = held;
    }

    public static DeadPort open() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return new DeadPort(socket);
    }

    public int port() {
        return held.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        held.close();
    }
}
