package nodepool.launcher;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up ready nodes nobody wants, the oldest first and one at a time, so that a pool full of the wrong labels does not
 * wedge. Confined to the pool's loop.
 */
final class RoomMaker {

    private static final Duration BRAKE = Duration.ofMinutes(5);
    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.NodeRequestHandler");

    private final PoolMeans means;
    private boolean busy;

    RoomMaker(PoolMeans means) {
        this.means = means;
    }

    /**
     * @param stock what is still free after everyone ahead took what fits
     */
    void makeRoom(Snapshot snapshot, Stock stock) {
        Optional<Node> oldest = stock.oldest();
        if (busy || oldest.isEmpty() || isRoomOnItsWay(snapshot)) {
            return;
        }
        busy = true;
        means.loop().after(means.stores().nodes().tryLock(oldest.get().id()), (found, failure) -> {
            Optional<LockedNode> locked = Outcome.value(found);
            if (locked.isEmpty()) {
                busy = false;
                return;
            }
            means.loop().after(giveUp(locked.get()), (done, failed) -> busy = false);
        });
    }

    private CompletionStage<?> giveUp(LockedNode locked) {
        Node node = locked.node();
        if (node.state() != NodeState.READY || node.isAllocated()) {
            return means.stores().nodes().unlock(locked.lock());
        }
        log.info("Deleting ready node {} to make room", node.id());
        Instant now = means.clock().instant();
        return means.stores().nodes().finish(locked.with(node.withState(NodeState.DELETING, now)));
    }

    /** While one is on its way out, and not stuck there, no other is given up. */
    private boolean isRoomOnItsWay(Snapshot snapshot) {
        Instant recently = means.clock().instant().minus(BRAKE);
        return snapshot.nodesOf(means.slot().name()).stream()
                .anyMatch(node -> means.isOurs(node)
                        && node.state() == NodeState.DELETING
                        && node.stateTime().isAfter(recently));
    }
}
