package nodepool.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A loopback port that accepts connections and never says a word. */
public final class SilentPort implements AutoCloseable {

    private static final int MANY = 1000;

    /** The kernel accepts on its behalf; nobody ever takes the connections from it. */
    private final ServerSocket listening;

    private SilentPort(ServerSocket listening) {
        this.listening = listening;
    }

    public static SilentPort open() throws IOException {
        return new SilentPort(new ServerSocket(0, MANY, InetAddress.getLoopbackAddress()));
    }

    public int port() {
        return listening.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
