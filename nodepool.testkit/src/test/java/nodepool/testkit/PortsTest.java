package nodepool.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

class PortsTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @Test
    void a_dead_port_refuses() throws Exception {
        try (DeadPort dead = DeadPort.open()) {
            assertThrows(ConnectException.class, () -> new Socket(LOOPBACK, dead.port()));
        }
    }

    @Test
    void a_silent_port_accepts_and_says_nothing() throws Exception {
        try (SilentPort silent = SilentPort.open();
                Socket socket = new Socket(LOOPBACK, silent.port())) {
            assertTrue(socket.isConnected());
            socket.setSoTimeout(50);
            assertThrows(
                    SocketTimeoutException.class, () -> socket.getInputStream().read());
        }
    }
}
