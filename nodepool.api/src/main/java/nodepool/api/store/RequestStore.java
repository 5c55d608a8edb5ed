package nodepool.api.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Changes to node requests. Nothing blocks and nothing waits for a lock: every operation completes later, on the store's
 * event thread (continue on your own), with a definite outcome. When the connection breaks in between, the store finds out
 * after reconnecting whether the operation took effect before it completes it. Every stage completes with
 * {@link SessionLostException} when the session ended.
 */
@ProviderType
public interface RequestStore {

    /**
     * Takes a request: locks it, checks that it is still as {@code seen}, stores {@code pending} and records the nodes to be
     * built for it, all or nothing.
     *
     * @param seen as in a snapshot
     * @param pending what it becomes
     * @param drafts nodes in state {@code init} without ids
     * @return the request with its lock and the nodes with their ids, in the order of {@code drafts}; absent if someone else
     *     holds the lock, or the request has changed or is gone: look at the next snapshot
     */
    CompletionStage<Optional<Claim>> claim(NodeRequest seen, NodeRequest pending, List<Node> drafts);

    /**
     * @param request now pending
     * @param nodes the recorded nodes, not locked yet: {@link NodeStore#lockNew}
     */
    record Claim(LockedRequest request, List<Node> nodes) {}

    /** Tries to lock and reads afresh; absent if someone else holds the lock or the request is gone. */
    CompletionStage<Optional<LockedRequest>> tryLock(String id);

    /** Records more nodes for a locked request, in one transaction, in state {@code init} and not locked. */
    CompletionStage<List<Node>> createNodes(LockedRequest request, List<Node> drafts);

    /** Stores a locked request; absent if the requestor has removed it. */
    CompletionStage<Optional<LockedRequest>> write(LockedRequest request);

    /**
     * Ends the work on a request, in one transaction and in the order of the wire contract: stores each node as given,
     * releases the nodes' locks, stores the request, releases its lock.
     *
     * @return false if the requestor has removed the request; then nothing was done
     */
    CompletionStage<Boolean> finish(LockedRequest request, List<LockedNode> nodes);

    /** Releases a lock without writing. Repeating it does nothing. */
    CompletionStage<Void> unlock(HeldLock lock);

    /**
     * Makes a request.
     *
     * @param draft without an id
     * @param priority three digits, lower is served first
     * @param ephemeral whether it goes away with this process's session
     * @return as stored, with its id
     */
    CompletionStage<NodeRequest> create(NodeRequest draft, String priority, boolean ephemeral);

    /** Removes a request of one's own, and its lock directory if nobody is in it; false if it was gone. */
    CompletionStage<Boolean> delete(String id);

    /**
     * Removes what is left of a request that no longer exists: its lock directory, if nobody is in it, and our own notes.
     * Missing entries are fine.
     */
    CompletionStage<Void> sweep(String id);

    /** Ids of the lock directories of requests, with the time since which nothing changed in them. */
    CompletionStage<List<LockDirectory>> lockDirectories();

    /** @param untouchedSince the store's time of the last change to the directory itself */
    record LockDirectory(String id, java.time.Instant untouchedSince) {}

    /** Reads a request from the store itself. */
    CompletionStage<Optional<NodeRequest>> read(String id);
}
