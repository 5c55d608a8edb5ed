package nodepool.webapp.stream;

import static nodepool.webapp.WebScene.done;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.webapp.WebScene;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The event stream over real connections. */
class EventStreamTest {

    @TempDir
    private Path folder;

    private WebScene web;

    @BeforeEach
    void open() throws Exception {
        web = new WebScene(folder);
    }

    @AfterEach
    void close() {
        web.close();
    }

    /** A client that reads line by line. */
    private final class Client implements AutoCloseable {

        private final Socket socket;
        private final BufferedReader in;

        Client() throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), web.port());
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        /** The data of the next event of that name. */
        String data(String event) throws IOException {
            boolean found = false;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (found && line.startsWith("data: ")) {
                    return line.substring(6);
                }
                found |= line.equals("event: " + event);
            }
            throw new IOException("ended without " + event);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private Node node() throws Exception {
        return done(web.stores()
                .nodes()
                .create(Node.draft(
                        NodeState.READY,
                        List.of("tiny"),
                        Node.Place.in("east", "main"),
                        Node.Machine.NONE,
                        web.clock.instant())));
    }

    @Test
    void a_new_a_locked_and_a_removed_node_are_told() throws Exception {
        try (Client client = new Client()) {
            client.data("hello");
            Node node = node();
            String made = client.data("nodes");
            assertTrue(made.contains("\"id\":\"" + node.id() + "\""), made);
            assertTrue(made.contains("\"locked\":\"unlocked\""), made);
            LockedNode locked = done(web.stores().nodes().tryLock(node.id())).orElseThrow();
            String taken = client.data("nodes");
            assertTrue(taken.contains("\"locked\":\"locked\""), taken);
            done(web.stores().nodes().remove(locked));
            String gone = client.data("nodes");
            assertTrue(gone.endsWith("\"removed\":[\"" + node.id() + "\"]}"), gone);
        }
    }

    @Test
    void two_hundred_clients_hear_the_same_and_are_forgotten_when_they_go() throws Exception {
        List<Client> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                clients.add(new Client());
            }
            for (Client client : clients) {
                client.data("hello");
            }
            assertEquals(200, web.feed.size());
            Node node = node();
            for (Client client : clients) {
                assertTrue(client.data("nodes").contains(node.id()));
            }
        } finally {
            for (Client client : clients) {
                client.close();
            }
        }
    }

    @Test
    void a_client_that_reads_nothing_holds_up_nobody() throws Exception {
        try (Client slow = new Client();
                Client quick = new Client()) {
            slow.data("hello");
            quick.data("hello");
            for (int i = 0; i < 20; i++) {
                Node node = node();
                assertTrue(quick.data("nodes").contains(node.id()));
            }
        }
    }
}
