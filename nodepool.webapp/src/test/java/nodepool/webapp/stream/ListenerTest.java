package nodepool.webapp.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import nodepool.api.json.JsonValue.JsonObject;
import org.junit.jupiter.api.Test;

/** A client that takes its time, or goes away. */
class ListenerTest {

    private final Connection connection = new Connection();
    private final List<Listener> gone = new ArrayList<>();
    private int completed;
    private final AsyncContext context = (AsyncContext) Proxy.newProxyInstance(
            AsyncContext.class.getClassLoader(), new Class<?>[] {AsyncContext.class}, (self, method, arguments) -> {
                assertEquals("complete", method.getName());
                completed++;
                return null;
            });
    private final Listener listener = new Listener(context, connection, gone::add);

    /** Takes bytes when the test says so. */
    private static final class Connection extends ServletOutputStream {

        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private boolean ready;
        private boolean broken;

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void setWriteListener(WriteListener any) {
            // The test says when.
        }

        @Override
        public void write(int b) throws IOException {
            if (broken) {
                throw new IOException("broken pipe");
            }
            taken.write(b);
        }

        String text() {
            return taken.toString(StandardCharsets.UTF_8);
        }
    }

    private static Message message(int number) {
        return Message.of("nodes", number, JsonObject.EMPTY);
    }

    @Test
    void messages_wait_until_the_connection_takes_them() {
        listener.start();
        listener.send(message(1));
        listener.send(message(2));
        assertEquals("", connection.text());
        connection.ready = true;
        listener.onWritePossible();
        assertEquals("event: nodes\nid: 1\ndata: {}\n\nevent: nodes\nid: 2\ndata: {}\n\n", connection.text());
    }

    @Test
    void who_is_too_slow_is_told_to_read_everything_anew() {
        listener.start();
        for (int i = 0; i < 1_000; i++) {
            listener.send(message(i));
        }
        connection.ready = true;
        listener.onWritePossible();
        assertTrue(connection.text().startsWith("event: resync\n"), connection.text());
        assertTrue(connection.text().endsWith("id: 999\ndata: {}\n\n"), connection.text());
        assertTrue(connection.text().length() < 64 * 40, "more than the queue may hold");
    }

    @Test
    void a_heartbeat_is_not_queued_behind_messages() {
        listener.start();
        listener.send(message(1));
        listener.send(Message.HEARTBEAT);
        connection.ready = true;
        listener.onWritePossible();
        assertEquals("event: nodes\nid: 1\ndata: {}\n\n", connection.text());
    }

    @Test
    void who_is_gone_is_forgotten_once() {
        listener.start();
        connection.ready = true;
        connection.broken = true;
        listener.send(message(1));
        listener.send(message(2));
        listener.end();
        assertEquals(List.of(listener), gone);
        assertEquals(1, completed);
    }
}
