package nodepool.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds ports for programs that cannot find one themselves. */
public final class FreePort {

    private FreePort() {}

    /** A loopback port that was free a moment ago. */
    public static int find() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
