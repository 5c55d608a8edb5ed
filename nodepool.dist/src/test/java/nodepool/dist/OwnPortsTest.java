package nodepool.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class OwnPortsTest {

    @Test
    void a_taken_port_is_named_with_the_option_that_chooses_another() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            IOException refusal =
                    assertThrows(IOException.class, () -> OwnPorts.requireFree("--port=0,--zk-port=" + port));
            assertEquals(
                    "port " + port + " cannot be used (Address already in use); choose another with --zk-port",
                    refusal.getMessage());
        }
    }

    @Test
    void free_ports_and_none_are_fine() throws IOException {
        OwnPorts.requireFree("--port=0");
        OwnPorts.requireFree("");
    }
}
