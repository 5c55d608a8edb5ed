package nodepool.zk;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.node.Node;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;

/** A copy of everything, indexed. */
final class TreeSnapshot implements Snapshot {

    private final long number;
    private final Map<String, NodeRequest> requests;
    private final List<NodeRequest> ordered;
    private final Map<String, Node> nodes;
    private final Map<String, List<Node>> byProvider = new HashMap<>();
    private final Map<String, List<Node>> byRequest = new HashMap<>();
    private final Map<String, List<String>> contenders = new HashMap<>();
    private final List<Registration> components;
    private final Set<String> images;
    private final List<ImageBuild> builds;
    private final List<ImageUpload> uploads;
    private final Set<String> flags;
    private final List<Malformed> malformed;

    TreeSnapshot(
            long number,
            Map<String, NodeRequest> requests,
            Map<String, Node> nodes,
            Map<String, Set<String>> contenders,
            Collection<Registration> components,
            Set<String> images,
            Collection<ImageBuild> builds,
            Collection<ImageUpload> uploads,
            Set<String> flags,
            Collection<Malformed> malformed) {
        this.number = number;
        this.requests = Map.copyOf(requests);
        List<NodeRequest> sorted = new ArrayList<>(requests.values());
        sorted.sort(NodeRequest.ORDER);
        this.ordered = List.copyOf(sorted);
        this.nodes = new TreeMap<>(nodes);
        for (Node node : nodes.values()) {
            node.place()
                    .provider()
                    .ifPresent(name -> byProvider
                            .computeIfAbsent(name, none -> new ArrayList<>())
                            .add(node));
            node.allocation()
                    .allocatedTo()
                    .ifPresent(id -> byRequest
                            .computeIfAbsent(id, none -> new ArrayList<>())
                            .add(node));
        }
        contenders.forEach((id, names) -> this.contenders.put(id, ZkLock.queue(List.copyOf(names))));
        this.components = List.copyOf(components);
        this.images = Set.copyOf(images);
        this.builds = builds.stream()
                .sorted(Comparator.comparing(ImageBuild::stateTime))
                .toList();
        this.uploads = uploads.stream()
                .sorted(Comparator.comparing(ImageUpload::stateTime))
                .toList();
        this.flags = Set.copyOf(flags);
        this.malformed = List.copyOf(malformed);
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public List<NodeRequest> requests() {
        return ordered;
    }

    @Override
    public Optional<NodeRequest> request(String id) {
        return Optional.ofNullable(requests.get(id));
    }

    @Override
    public Collection<Node> nodes() {
        return java.util.Collections.unmodifiableCollection(nodes.values());
    }

    @Override
    public Optional<Node> node(String id) {
        return Optional.ofNullable(nodes.get(id));
    }

    @Override
    public Collection<Node> nodesOf(String provider) {
        return List.copyOf(byProvider.getOrDefault(provider, List.of()));
    }

    @Override
    public Collection<Node> nodesAllocatedTo(String requestId) {
        return List.copyOf(byRequest.getOrDefault(requestId, List.of()));
    }

    @Override
    public List<String> contenders(String nodeId) {
        return contenders.getOrDefault(nodeId, List.of());
    }

    @Override
    public Collection<Registration> components() {
        return components;
    }

    @Override
    public Set<String> images() {
        return images;
    }

    @Override
    public List<ImageBuild> builds(String image) {
        return builds.stream().filter(build -> build.image().equals(image)).toList();
    }

    @Override
    public List<ImageUpload> uploads(String image) {
        return uploads.stream().filter(upload -> upload.image().equals(image)).toList();
    }

    @Override
    public Optional<ImageUpload> currentUpload(String image, String provider) {
        return uploads(image).stream()
                .filter(upload -> upload.provider().equals(provider) && upload.state() == ImageState.READY)
                .reduce((older, newer) -> newer);
    }

    @Override
    public boolean isPaused(String image) {
        return flags.contains(Paths.IMAGES + "/" + image + "/pause");
    }

    @Override
    public boolean isBuildRequested(String image) {
        return flags.contains(Paths.IMAGES + "/" + image + "/request-build");
    }

    @Override
    public List<Malformed> malformed() {
        return malformed;
    }
}
