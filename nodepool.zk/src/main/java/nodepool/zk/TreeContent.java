package nodepool.zk;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import nodepool.api.json.Stored;
import nodepool.api.registry.Registration;
import nodepool.api.request.RequestState;
import nodepool.api.store.Snapshot;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of the tree. Takes in one path after the other and makes snapshots; neither takes longer because there is
 * much else in the tree. Not thread-safe.
 */
final class TreeContent {

    private static final Logger log = LoggerFactory.getLogger("nodepool.zk.cache");

    private final Map<String, Long> versions = new HashMap<>();
    private RequestIndex requests = RequestIndex.EMPTY;
    private NodeIndex nodes = NodeIndex.EMPTY;
    private ImageIndex images = ImageIndex.EMPTY;
    private TreePMap<String, Registration> components = TreePMap.empty();
    private TreePMap<String, Snapshot.Malformed> malformed = TreePMap.empty();
    private TreePSet<String> marks = TreePSet.empty();

    TreeSnapshot snapshot(long number) {
        return new TreeSnapshot(number, requests, nodes, images, components, malformed, marks);
    }

    /** Takes a document; false if it, or a newer one, is here already. */
    boolean put(String path, Session.Found found) {
        long version = found.stat().getMzxid();
        if (versions.getOrDefault(path, -1L) >= version) {
            return false;
        }
        Place place = Place.of(path);
        versions.put(path, version);
        forgetRecord(path, place);
        try {
            parse(path, place, found);
            malformed = malformed.minus(path);
        } catch (MalformedDocumentException e) {
            reject(path, place, e.getMessage() == null ? "is malformed" : e.getMessage(), found.data().length == 0);
        } catch (RuntimeException beyondReading) {
            reject(path, place, "cannot be understood: " + beyondReading, false);
        }
        return true;
    }

    /** Whatever others write, the rest of the tree goes on being read. */
    private void parse(String path, Place place, Session.Found found) throws MalformedDocumentException {
        if (found.data().length == 0) {
            throw new MalformedDocumentException("has no data");
        }
        if (found.data().length > MessageLimit.BYTES) {
            throw new MalformedDocumentException(
                    "holds %d bytes, far more than any record has".formatted(found.data().length));
        }
        Stored stored = stored(found);
        switch (place.kind()) {
            case REQUEST -> requests = requests.with(Documents.request(place.id(), stored));
            case NODE -> nodes = nodes.with(Documents.node(place.id(), stored));
            case COMPONENT -> components = components.plus(path, Documents.registration(kind(place.id()), stored));
            case BUILD -> images = images.withBuild(path, Documents.build(place.id(), place.name(), stored));
            case UPLOAD -> {
                String[] parts = path.split("/");
                images = images.withUpload(path, Documents.upload(parts[3], parts[5], parts[7], parts[9], stored));
            }
            default -> versions.remove(path);
        }
    }

    private static Registration.Kind kind(String wireName) {
        for (Registration.Kind kind : Registration.Kind.values()) {
            if (kind.wireName().equals(wireName)) {
                return kind;
            }
        }
        throw new IllegalArgumentException(wireName);
    }

    static Stored stored(Session.Found found) throws MalformedDocumentException {
        return new Stored(
                JsonText.readObject(found.data()),
                found.stat().getVersion(),
                found.stat().getMzxid(),
                Optional.of(found.created()));
    }

    /** Named once in the log, and again only when it changes. */
    private void reject(String path, Place place, String problem, boolean empty) {
        String kind = place.kind().name().toLowerCase(Locale.ROOT);
        Snapshot.Malformed entry = new Snapshot.Malformed(path, kind, Paths.last(path), problem, empty);
        if (!entry.equals(malformed.get(path))) {
            malformed = malformed.plus(path, entry);
            log.warn("{} {}; it is left alone. Whoever wrote it must repair or remove it", path, problem);
        }
    }

    /** Whether somebody should look, now that nobody holds that request's lock. */
    boolean isAbandoned(String requestId) {
        return !requests.isLocked(requestId)
                && requests.get(requestId)
                        .filter(request -> request.state() == RequestState.PENDING)
                        .isPresent();
    }

    /** Takes what counts by being there. */
    void appeared(String path, Place place) {
        switch (place.kind()) {
            case REQUEST_CONTENDER -> requests = requests.contended(place.id(), place.name());
            case CONTENDER -> nodes = nodes.queued(place.id(), place.name());
            case FLAG -> images = images.withFlag(place.id(), path);
            case PROVIDER_MARK -> marks = marks.plus(path);
            default -> images = images.withName(place.id());
        }
    }

    void remove(String path) {
        Place place = Place.of(path);
        versions.remove(path);
        malformed = malformed.minus(path);
        forgetRecord(path, place);
        switch (place.kind()) {
            case NODE -> nodes = nodes.withoutQueue(place.id());
            case REQUEST_CONTENDER -> requests = requests.uncontended(place.id(), place.name());
            case CONTENDER -> nodes = nodes.unqueued(place.id(), place.name());
            case IMAGE -> images = images.withoutName(place.id());
            case FLAG -> images = images.withoutFlag(path);
            case PROVIDER_MARK -> marks = marks.minus(path);
            default -> {}
        }
    }

    private void forgetRecord(String path, Place place) {
        switch (place.kind()) {
            case REQUEST -> requests = requests.without(place.id());
            case NODE -> nodes = nodes.without(place.id());
            case COMPONENT -> components = components.minus(path);
            case BUILD -> images = images.withoutBuild(place.id(), path);
            case UPLOAD -> images = images.withoutUpload(place.id(), path);
            default -> {}
        }
    }

    /** Drops everything that is not among these paths. */
    void keepOnly(Set<String> paths) {
        Set<String> known = new HashSet<>(versions.keySet());
        nodes.queues().forEach((node, queue) -> queue.forEach(name -> known.add(Paths.nodeLock(node) + "/" + name)));
        requests.contenders()
                .forEach((request, names) -> names.forEach(name -> known.add(Paths.requestLock(request) + "/" + name)));
        known.addAll(images.flags());
        known.addAll(marks);
        images.names().forEach(image -> known.add(Paths.IMAGES + "/" + image));
        known.removeAll(paths);
        known.forEach(this::remove);
    }
}
