package nodepool.webapp.stream;

import java.nio.charset.StandardCharsets;
import nodepool.api.json.JsonValue;
import nodepool.webapp.http.JsonBytes;

/** One server-sent event, as bytes that all listeners share. */
final class Message {

    /** Keeps a quiet connection open, and finds out whether anybody is still there. */
    static final Message HEARTBEAT = new Message(": \n\n".getBytes(StandardCharsets.UTF_8));

    /** Tells a listener that was too slow to read everything anew. */
    static final Message RESYNC = new Message("event: resync\ndata: {}\n\n".getBytes(StandardCharsets.UTF_8));

    private final byte[] bytes;

    private Message(byte[] bytes) {
        this.bytes = bytes;
    }

    /** @param id number of the snapshot after the change */
    static Message of(String event, long id, JsonValue data) {
        String json = new String(JsonBytes.of(data), StandardCharsets.US_ASCII);
        return new Message(
                ("event: " + event + "\nid: " + id + "\ndata: " + json + "\n\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Not to be changed. */
    byte[] bytes() {
        return bytes;
    }
}
