package nodepool.zk;

import java.util.List;
import java.util.Optional;
import org.apache.jute.Record;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.SetDataRequest;

/**
 * How much a message to ZooKeeper may hold. The server answers a greater one by breaking the connection, so that it would
 * be sent again and again.
 */
final class MessageLimit {

    /** ZooKeeper's limit, 1 MiB, less what surrounds a document. Real ones have a few KiB. */
    static final int BYTES = 1_000_000;

    /** What the client takes from the server: a document as great as can be written, and what surrounds it. */
    static final int ANSWER_BYTES = 4 << 20;

    /** What an operation takes besides its path and its document. */
    private static final int AROUND = 64;

    private MessageLimit() {}

    /** What is wrong with a write of that document. */
    static Optional<IllegalArgumentException> objection(String path, byte[] data) {
        return data.length <= BYTES
                ? Optional.empty()
                : Optional.of(new IllegalArgumentException(
                        "%s: a document of %d bytes; at most %d can be stored".formatted(path, data.length, BYTES)));
    }

    /** What is wrong with these writes in one message. */
    static Optional<IllegalArgumentException> objection(List<Op> ops) {
        long sum = 0;
        for (Op op : ops) {
            byte[] data = data(op);
            Optional<IllegalArgumentException> single = objection(op.getPath(), data);
            if (single.isPresent()) {
                return single;
            }
            sum += data.length + op.getPath().length() + AROUND;
        }
        return sum <= BYTES
                ? Optional.empty()
                : Optional.of(new IllegalArgumentException(
                        "%s and %d more: %d bytes in one transaction; at most %d can be stored at once"
                                .formatted(ops.get(0).getPath(), ops.size() - 1, sum, BYTES)));
    }

    private static byte[] data(Op op) {
        Record request = op.toRequestRecord();
        if (request instanceof CreateRequest create) {
            return create.getData();
        }
        return request instanceof SetDataRequest set ? set.getData() : new byte[0];
    }
}
