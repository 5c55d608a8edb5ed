package nodepool.dist;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Ports on loopback that parts of this program are going to listen on. They are tried before anything runs: later, a part
 * that finds its port taken could only end a program that already talks to whoever has it.
 */
final class OwnPorts {

    /** Names the option and the port, such as {@code --zk-port=2181}, separated by commas. */
    static final String PROPERTY = "nodepool.own.ports";

    private OwnPorts() {}

    /** @throws IOException if one is taken, saying which option chooses another */
    static void requireFree(String list) throws IOException {
        for (String entry : list.isBlank() ? new String[0] : list.split(",", -1)) {
            int equals = entry.indexOf('=');
            requireFree(entry.substring(0, equals), Integer.parseInt(entry.substring(equals + 1)));
        }
    }

    private static void requireFree(String option, int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException taken) {
            throw new IOException(
                    "port %d cannot be used (%s); choose another with %s".formatted(port, taken.getMessage(), option),
                    taken);
        }
    }
}
