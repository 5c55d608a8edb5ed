package nodepool.webapp.stream;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of the stream. Messages wait in a short queue while the client is slow; when the queue is full they are dropped,
 * and the client is told to read everything anew. Nothing here blocks: bytes are written when the connection takes them.
 */
final class Listener implements WriteListener {

    private static final Logger log = LoggerFactory.getLogger("nodepool.WebApp");
    private static final int LONGEST_QUEUE = 64;
    private static final int LARGEST_QUEUE = 4 * 1024 * 1024;

    private final AsyncContext connection;
    private final ServletOutputStream out;
    private final Consumer<Listener> gone;
    private final Deque<Message> queue = new ArrayDeque<>();
    private int queued;
    private boolean open;
    private boolean unflushed;

    /** @param gone told once, when nothing can be sent any more */
    Listener(AsyncContext connection, ServletOutputStream out, Consumer<Listener> gone) {
        this.connection = connection;
        this.out = out;
        this.gone = gone;
    }

    /** Lets the server say when bytes can be written. */
    void start() {
        synchronized (this) {
            open = true;
        }
        out.setWriteListener(this);
    }

    /** From any thread. */
    void send(Message message) {
        synchronized (this) {
            if (message == Message.HEARTBEAT && !queue.isEmpty()) {
                return;
            }
            if (queue.size() >= LONGEST_QUEUE || queued + message.bytes().length > LARGEST_QUEUE) {
                queue.clear();
                queued = 0;
                add(Message.RESYNC);
            } else {
                add(message);
            }
        }
        write();
    }

    private void add(Message message) {
        queue.add(message);
        queued += message.bytes().length;
    }

    @Override
    public void onWritePossible() {
        write();
    }

    private void write() {
        try {
            flushQueue();
        } catch (IOException | IllegalStateException closed) {
            onError(closed);
        }
    }

    private synchronized void flushQueue() throws IOException {
        while (open && out.isReady()) {
            Message next = queue.poll();
            if (next != null) {
                queued -= next.bytes().length;
                unflushed = true;
                out.write(next.bytes());
            } else if (unflushed) {
                unflushed = false;
                out.flush();
            } else {
                return;
            }
        }
    }

    @Override
    public void onError(Throwable failure) {
        log.debug("A listener of the event stream is gone: {}", failure.toString());
        end();
    }

    /** Ends the stream. Repeating it does nothing. */
    void end() {
        synchronized (this) {
            if (!open) {
                return;
            }
            open = false;
        }
        gone.accept(this);
        try {
            connection.complete();
        } catch (IllegalStateException ended) {
            log.debug("The connection had ended already", ended);
        }
    }
}
