package nodepool.itest.fleet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog.TxnIterator;
import org.apache.zookeeper.txn.CloseSessionTxn;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.DeleteTxn;
import org.apache.zookeeper.txn.MultiTxn;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.Txn;
import org.apache.zookeeper.txn.TxnHeader;

/** All that ever happened in a ZooKeeper, in the order in which it happened. */
final class TransactionLog {

    private final List<Change> changes = new ArrayList<>();

    private TransactionLog() {}

    /** @param dataFolder of a ZooKeeper that was stopped and has purged nothing */
    static List<Change> read(Path dataFolder) throws IOException {
        TransactionLog log = new TransactionLog();
        FileTxnLog files = new FileTxnLog(dataFolder.resolve("version-2").toFile());
        try (TxnIterator entries = files.read(0)) {
            while (entries.getHeader() != null) {
                log.add(entries.getHeader(), entries.getTxn());
                entries.next();
            }
        } finally {
            files.close();
        }
        return log.changes;
    }

    private void add(TxnHeader header, Record record) throws IOException {
        if (record instanceof MultiTxn multi) {
            for (Txn part : multi.getTxns()) {
                add(header, parse(part));
            }
        } else if (record instanceof CreateTxn created) {
            add(header, Change.Kind.CREATED, created.getPath(), created.getData(), created.getEphemeral());
        } else if (record instanceof SetDataTxn set) {
            add(header, Change.Kind.CHANGED, set.getPath(), set.getData(), false);
        } else if (record instanceof DeleteTxn deleted) {
            add(header, Change.Kind.DELETED, deleted.getPath(), new byte[0], false);
        } else if (record instanceof CloseSessionTxn closed) {
            add(header, Change.Kind.SESSION_CLOSED, "", new byte[0], false);
            for (String path : closed.getPaths2Delete()) {
                add(header, Change.Kind.DELETED, path, new byte[0], false);
            }
        }
    }

    /** A part of a transaction; what is none of the kinds above changes no data. */
    private static Record parse(Txn part) throws IOException {
        Record record = switch (part.getType()) {
            case OpCode.create, OpCode.create2 -> new CreateTxn();
            case OpCode.setData -> new SetDataTxn();
            case OpCode.delete -> new DeleteTxn();
            default -> new MultiTxn(List.of());
        };
        if (!(record instanceof MultiTxn)) {
            record.deserialize(BinaryInputArchive.getArchive(new ByteArrayInputStream(part.getData())), "txn");
        }
        return record;
    }

    private void add(TxnHeader header, Change.Kind kind, String path, byte[] data, boolean ephemeral) {
        changes.add(new Change(
                Instant.ofEpochMilli(header.getTime()),
                header.getZxid(),
                header.getClientId(),
                kind,
                path,
                data == null ? "" : new String(data, StandardCharsets.UTF_8),
                ephemeral));
    }
}
