package nodepool.zk;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.node.Node;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.ProviderMark;
import nodepool.api.store.Snapshot;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/** What the tree held at one moment. Made in no time, however much that is: it shares the indexes it is given. */
final class TreeSnapshot implements Snapshot {

    private final long number;
    private final RequestIndex requests;
    private final NodeIndex nodes;
    private final ImageIndex images;
    private final TreePMap<String, Registration> components;
    private final TreePMap<String, Malformed> malformed;
    private final TreePSet<String> marks;

    TreeSnapshot(
            long number,
            RequestIndex requests,
            NodeIndex nodes,
            ImageIndex images,
            TreePMap<String, Registration> components,
            TreePMap<String, Malformed> malformed,
            TreePSet<String> marks) {
        this.number = number;
        this.requests = requests;
        this.nodes = nodes;
        this.images = images;
        this.components = components;
        this.malformed = malformed;
        this.marks = marks;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public List<NodeRequest> requests() {
        return List.copyOf(requests.ordered());
    }

    @Override
    public Optional<NodeRequest> request(String id) {
        return requests.get(id);
    }

    @Override
    public boolean isRequestLocked(String requestId) {
        return requests.isLocked(requestId);
    }

    @Override
    public Collection<Node> nodes() {
        return nodes.byId().values();
    }

    @Override
    public Optional<Node> node(String id) {
        return nodes.get(id);
    }

    @Override
    public Collection<Node> nodesOf(String provider) {
        return nodes.byProvider().of(provider);
    }

    @Override
    public Collection<Node> nodesAllocatedTo(String requestId) {
        return nodes.byRequest().of(requestId);
    }

    @Override
    public List<String> contenders(String nodeId) {
        return nodes.queue(nodeId);
    }

    @Override
    public Collection<Registration> components() {
        return components.values();
    }

    @Override
    public Set<String> images() {
        return images.names();
    }

    @Override
    public List<ImageBuild> builds(String image) {
        return images.builds().of(image).stream()
                .sorted(Comparator.comparing(ImageBuild::stateTime))
                .toList();
    }

    @Override
    public List<ImageUpload> uploads(String image) {
        return images.uploads().of(image).stream()
                .sorted(Comparator.comparing(ImageUpload::stateTime))
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
        return images.flags().contains(Paths.IMAGES + "/" + image + "/pause");
    }

    @Override
    public boolean isBuildRequested(String image) {
        return images.flags().contains(Paths.IMAGES + "/" + image + "/request-build");
    }

    @Override
    public boolean isBuilding(String image) {
        return isLockedAt(Paths.builds(image));
    }

    @Override
    public boolean isUploading(String image, String buildId, String provider) {
        return isLockedAt(Paths.uploads(image, buildId, provider));
    }

    private boolean isLockedAt(String directory) {
        String contender = directory + "/lock/";
        return images.flags().stream().anyMatch(flag -> flag.startsWith(contender) && ZkLock.isContender(flag));
    }

    @Override
    public Optional<ProviderMark> mark(String provider) {
        return Arrays.stream(ProviderMark.values())
                .filter(mark -> marks.contains(ZkProviderMarks.path(provider, mark)))
                .reduce((weaker, stronger) -> stronger);
    }

    @Override
    public List<Malformed> malformed() {
        return List.copyOf(malformed.values());
    }
}
