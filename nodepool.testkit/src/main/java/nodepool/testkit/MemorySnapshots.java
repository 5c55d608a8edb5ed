package nodepool.testkit;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.node.Node;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource;

/** The nodes and uploads that a test says there are. Everything else of the shared state is empty. Thread-safe. */
public final class MemorySnapshots implements SnapshotSource {

    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, ImageUpload> uploads = new TreeMap<>();
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    private View latest = new View(0, List.of(), List.of());

    /** From now on there is this node, as given. */
    public void put(Node node) {
        synchronized (this) {
            nodes.put(node.id(), node);
            taken();
        }
        wakes.forEach(Runnable::run);
    }

    /** From now on there is no such node. */
    public void drop(String nodeId) {
        synchronized (this) {
            nodes.remove(nodeId);
            taken();
        }
        wakes.forEach(Runnable::run);
    }

    /** From now on there is this upload. */
    public void put(ImageUpload upload) {
        synchronized (this) {
            uploads.put(upload.path(), upload);
            taken();
        }
        wakes.forEach(Runnable::run);
    }

    private void taken() {
        latest = new View(latest.number() + 1, List.copyOf(nodes.values()), List.copyOf(uploads.values()));
    }

    /** The latest snapshot, of which there always is one. */
    public synchronized Snapshot now() {
        return latest;
    }

    @Override
    public Optional<Snapshot> current() {
        return Optional.of(now());
    }

    @Override
    public CompletionStage<Snapshot> next() {
        return CompletableFuture.completedStage(now());
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

    private record View(long number, List<Node> nodes, List<ImageUpload> allUploads) implements Snapshot {

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
            return nodes.stream()
                    .filter(node -> node.place().provider().equals(Optional.of(provider)))
                    .toList();
        }

        @Override
        public Collection<Node> nodesAllocatedTo(String requestId) {
            return nodes.stream()
                    .filter(node -> node.allocation().allocatedTo().equals(Optional.of(requestId)))
                    .toList();
        }

        @Override
        public List<String> contenders(String nodeId) {
            return List.of();
        }

        @Override
        public Collection<Registration> components() {
            return List.of();
        }

        @Override
        public Set<String> images() {
            Set<String> names = new LinkedHashSet<>();
            allUploads.forEach(upload -> names.add(upload.image()));
            return names;
        }

        @Override
        public List<ImageBuild> builds(String image) {
            return List.of();
        }

        @Override
        public List<ImageUpload> uploads(String image) {
            return allUploads.stream()
                    .filter(upload -> upload.image().equals(image))
                    .toList();
        }

        @Override
        public Optional<ImageUpload> currentUpload(String image, String provider) {
            return uploads(image).stream()
                    .filter(upload -> upload.provider().equals(provider) && upload.state() == ImageState.READY)
                    .reduce((older, newer) -> newer);
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
