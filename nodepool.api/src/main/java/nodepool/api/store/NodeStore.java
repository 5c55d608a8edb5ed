package nodepool.api.store;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import nodepool.api.node.Node;
import org.osgi.annotation.versioning.ProviderType;

/** Changes to nodes. The rules of {@link RequestStore} about blocking, outcomes and sessions hold here too. */
@ProviderType
public interface NodeStore {

    /** Records an unlocked node and gives it an id. Only for nodes that are not garbage when unlocked. */
    CompletionStage<Node> create(Node draft);

    /**
     * Locks a node this process has just recorded, stores it as given and keeps the memory of its launch, in one
     * transaction. Absent if the node is gone or someone was faster.
     */
    CompletionStage<Optional<LockedNode>> lockNew(Node building, NodeMemo memo);

    /**
     * Tries to lock a node and reads it afresh. Absent if someone else holds the lock or the node is gone. A node without
     * data, or one already marked deleted, is removed on the way (it was half removed) and counts as gone.
     */
    CompletionStage<Optional<LockedNode>> tryLock(String id);

    /** Stores a locked node; absent if it is gone. */
    CompletionStage<Optional<LockedNode>> write(LockedNode node);

    /** Stores a locked node and its memory in one transaction; absent if it is gone. */
    CompletionStage<Optional<LockedNode>> write(LockedNode node, NodeMemo memo);

    /** Keeps the memory of a locked node. Writes nothing else. */
    CompletionStage<Void> remember(LockedNode node, NodeMemo memo);

    /** What was remembered of a node. */
    CompletionStage<Optional<NodeMemo>> recall(String id);

    /** Stores a locked node as given and releases its lock, in one transaction; false if it was gone. */
    CompletionStage<Boolean> finish(LockedNode node);

    /** Releases a lock without writing. Repeating it does nothing. */
    CompletionStage<Void> unlock(HeldLock lock);

    /**
     * Removes a locked node whose machine is gone: record, lock and memory. Someone who tries to lock it meanwhile does not
     * get a live node. If someone stands in the lock's queue the record stays behind marked deleted, for them or the next
     * {@link #tryLock} to remove.
     */
    CompletionStage<Void> remove(LockedNode node);

    /** Removes a record without data, and everything below it, if nobody has filled it meanwhile. */
    CompletionStage<Void> removeEmpty(String id);

    /**
     * Like {@link #tryLock}, but the lock outlives this process and its session, under the name of {@code holder}. For
     * drivers that use nodes of other providers. It ends with {@link #unlock} or {@link #finish}.
     */
    CompletionStage<Optional<LockedNode>> tryLockLasting(String id, String holder);

    /**
     * Takes up a lasting lock that this or an earlier process has taken under the same name, and reads the node afresh.
     * Absent if the first in the lock's queue is anybody else, or the node is gone. Several processes may do so at the same
     * time: they agree among themselves with {@link #writeIfUnchanged}.
     */
    CompletionStage<Optional<LockedNode>> resumeLasting(String id, String holder);

    /** Stores a locked node unless it has changed since it was read; absent if it has, or is gone. */
    CompletionStage<Optional<LockedNode>> writeIfUnchanged(LockedNode node);

    /** Reads a node from the store itself. */
    CompletionStage<Optional<Node>> read(String id);
}
