package nodepool.launcher;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;

/**
 * The requests of which a pool does something: works on them, is about to take or to refuse them, has just lost a race for
 * them, or has finished them and they are not gone yet. Confined to the pool's loop.
 */
final class Hand {

    private static final Duration FIRST_LOOK = Duration.ofMillis(100);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(30);

    private final Map<String, HandledRequest> handled = new LinkedHashMap<>();
    private final Set<String> underWay = new HashSet<>();
    /** Requests that are being claimed, and the plan for each. */
    private final Map<String, Plan> claims = new HashMap<>();

    private final BackOff races = new BackOff(FIRST_LOOK, LONGEST_LOOK);
    private final Set<String> finished = new HashSet<>();

    /** Whether that request, as seen, needs no look now. */
    boolean isBusyWith(NodeRequest request, Instant now) {
        return holds(request) || !races.isDue(version(request), now);
    }

    private static String version(NodeRequest request) {
        return request.id() + "/" + request.stored().transaction();
    }

    boolean holds(NodeRequest request) {
        return underWay.contains(request.id()) || handled.containsKey(request.id());
    }

    /** Something about that request was asked of the store. */
    void begin(String id) {
        underWay.add(id);
    }

    /** A claim was asked for. */
    void beginClaim(String id, Plan plan) {
        underWay.add(id);
        claims.put(id, plan);
    }

    /** The store has answered. */
    void end(String id) {
        underWay.remove(id);
        claims.remove(id);
    }

    /**
     * Someone else was faster. Most of the time the request is different soon; but whoever had its lock may have only looked.
     *
     * @return when to look again at the same version of it
     */
    Duration lost(NodeRequest seen, Instant now) {
        return races.failed(version(seen), now);
    }

    void add(HandledRequest request) {
        handled.put(request.request().id(), request);
    }

    void remove(HandledRequest request) {
        handled.remove(request.request().id());
        finished.add(request.request().id());
    }

    /** This pool has declined it and forgets it when it is gone. */
    void declined(String id) {
        finished.add(id);
    }

    List<HandledRequest> all() {
        return List.copyOf(handled.values());
    }

    /** Those for which there was no room, the first in order first. */
    List<HandledRequest> waiting() {
        List<HandledRequest> waiting = new ArrayList<>();
        for (HandledRequest request : handled.values()) {
            if (request.lacksRoom()) {
                waiting.add(request);
            }
        }
        waiting.sort(Comparator.comparing(HandledRequest::request, NodeRequest.ORDER));
        return waiting;
    }

    /** Whether some request in hand lacks room: the pool is paused. */
    boolean isPaused() {
        return isAboutToWait() || handled.values().stream().anyMatch(HandledRequest::lacksRoom);
    }

    /** Whether some request is about to be taken though it lacks room. */
    boolean isAboutToWait() {
        return claims.values().stream().anyMatch(plan -> plan.shortage().isPresent());
    }

    boolean isEmpty() {
        return handled.isEmpty() && underWay.isEmpty();
    }

    /** Ids of nodes that requests in hand have, or are about to take. */
    Set<String> takenNodes() {
        Set<String> taken = new HashSet<>();
        handled.values().forEach(request -> taken.addAll(request.taken()));
        claims.values().forEach(plan -> plan.reused().forEach(node -> taken.add(node.id())));
        return taken;
    }

    /** Forgets requests that are gone; returns those this pool had finished, of which something may be left to remove. */
    List<String> forgetGone(Snapshot snapshot) {
        List<String> over = new ArrayList<>();
        finished.removeIf(id -> {
            boolean gone = snapshot.request(id).isEmpty();
            if (gone) {
                over.add(id);
            }
            return gone;
        });
        races.forgetIf(version ->
                snapshot.request(version.substring(0, version.indexOf('/'))).isEmpty());
        return over;
    }
}
