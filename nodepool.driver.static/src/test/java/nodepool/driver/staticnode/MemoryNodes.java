package nodepool.driver.staticnode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageUpload;
import nodepool.api.node.Node;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.HeldLock;
import nodepool.api.store.LockedNode;
import nodepool.api.store.NodeMemo;
import nodepool.api.store.NodeStore;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource;

/** Nodes in memory: store and snapshots. Snapshots can be held back, as they may lag behind the store. */
final class MemoryNodes implements NodeStore, SnapshotSource {

    private final Map<String, Node> nodes = new TreeMap<>();
    private final Set<String> locks = new TreeSet<>();
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    private List<Registration> components = List.of();
    private Optional<Snapshot> latest;
    private boolean lagging;
    private long number;
    private int sequence;

    MemoryNodes() {
        latest = Optional.of(new View(0, List.of(), Set.of(), List.of()));
    }

    /** Snapshots stand still from now on, or catch up. */
    void lag(boolean standStill) {
        lagging = standStill;
        changed();
    }

    void registered(Registration... all) {
        components = List.of(all);
        changed();
    }

    /** Someone else changes a node. */
    void put(Node node) {
        nodes.put(node.id(), node);
        changed();
    }

    /** Someone else removes a node. */
    void drop(String id) {
        nodes.remove(id);
        changed();
    }

    void lockedByOthers(String id, boolean locked) {
        if (locked) {
            locks.add(id);
        } else {
            locks.remove(id);
        }
        changed();
    }

    List<Node> all() {
        return List.copyOf(nodes.values());
    }

    Node one(String id) {
        return Optional.ofNullable(nodes.get(id)).orElseThrow();
    }

    private void changed() {
        if (!lagging) {
            latest = Optional.of(new View(++number, List.copyOf(nodes.values()), Set.copyOf(locks), components));
            wakes.forEach(Runnable::run);
        }
    }

    @Override
    public Optional<Snapshot> current() {
        return latest;
    }

    @Override
    public CompletionStage<Snapshot> next() {
        return CompletableFuture.completedStage(latest.orElseThrow());
    }

    @Override
    public CompletionStage<Snapshot> caughtUp() {
        return next();
    }

    @Override
    public Subscription onChange(Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }

    @Override
    public Status status() {
        return new Status(true, "memory");
    }

    @Override
    public CompletionStage<Node> create(Node draft) {
        Node made = draft.withId("%010d".formatted(sequence++));
        put(made);
        return CompletableFuture.completedStage(made);
    }

    @Override
    public CompletionStage<Optional<LockedNode>> tryLock(String id) {
        if (!nodes.containsKey(id) || !locks.add(id)) {
            return CompletableFuture.completedStage(Optional.empty());
        }
        changed();
        return CompletableFuture.completedStage(Optional.of(new LockedNode(one(id), new Lock(id))));
    }

    @Override
    public CompletionStage<Boolean> finish(LockedNode node) {
        boolean there = nodes.replace(node.node().id(), node.node()) != null;
        locks.remove(node.node().id());
        changed();
        return CompletableFuture.completedStage(there);
    }

    @Override
    public CompletionStage<Void> unlock(HeldLock lock) {
        locks.remove(lock.id());
        changed();
        return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<Optional<Node>> read(String id) {
        return CompletableFuture.completedStage(Optional.ofNullable(nodes.get(id)));
    }

    @Override
    public CompletionStage<Optional<LockedNode>> lockNew(Node building, NodeMemo memo) {
        throw new AssertionError("not for this driver");
    }

    @Override
    public CompletionStage<Optional<LockedNode>> write(LockedNode node) {
        throw new AssertionError("not for this driver");
    }

    @Override
    public CompletionStage<Optional<LockedNode>> write(LockedNode node, NodeMemo memo) {
        throw new AssertionError("not for this driver");
    }

    @Override
    public CompletionStage<Void> remember(LockedNode node, NodeMemo memo) {
        throw new AssertionError("not for this driver");
    }

    @Override
    public CompletionStage<Optional<NodeMemo>> recall(String id) {
        throw new AssertionError("not for this driver");
    }

    @Override
    public CompletionStage<Void> remove(LockedNode node) {
        throw new AssertionError("not for this driver");
    }

    @Override
    public CompletionStage<Void> removeEmpty(String id) {
        throw new AssertionError("not for this driver");
    }

    @Override
    public CompletionStage<Optional<LockedNode>> tryLockLasting(String id, String holder) {
        throw new AssertionError("not for this driver");
    }

    @Override
    public CompletionStage<Optional<LockedNode>> resumeLasting(String id, String holder) {
        throw new AssertionError("not for this driver");
    }

    @Override
    public CompletionStage<Optional<LockedNode>> writeIfUnchanged(LockedNode node) {
        throw new AssertionError("not for this driver");
    }

    private record Lock(String id) implements HeldLock {
        @Override
        public boolean isHeld() {
            return true;
        }
    }

    private record View(long number, List<Node> nodes, Set<String> locks, List<Registration> components)
            implements Snapshot {

        @Override
        public List<NodeRequest> requests() {
            return List.of();
        }

        @Override
        public boolean isRequestLocked(String requestId) {
            return false;
        }

        @Override
        public Optional<NodeRequest> request(String id) {
            return Optional.empty();
        }

        @Override
        public Optional<Node> node(String id) {
            return nodes.stream().filter(node -> node.id().equals(id)).findFirst();
        }

        @Override
        public Collection<Node> nodesOf(String provider) {
            return new ArrayList<>(nodes.stream()
                    .filter(node -> node.place().provider().equals(Optional.of(provider)))
                    .toList());
        }

        @Override
        public Collection<Node> nodesAllocatedTo(String requestId) {
            return List.of();
        }

        @Override
        public List<String> contenders(String nodeId) {
            return locks.contains(nodeId) ? List.of("somebody") : List.of();
        }

        @Override
        public Set<String> images() {
            return Set.of();
        }

        @Override
        public List<ImageBuild> builds(String image) {
            return List.of();
        }

        @Override
        public List<ImageUpload> uploads(String image) {
            return List.of();
        }

        @Override
        public Optional<ImageUpload> currentUpload(String image, String provider) {
            return Optional.empty();
        }

        @Override
        public boolean isPaused(String image) {
            return false;
        }

        @Override
        public boolean isBuildRequested(String image) {
            return false;
        }

        @Override
        public List<Malformed> malformed() {
            return List.of();
        }
    }
}
