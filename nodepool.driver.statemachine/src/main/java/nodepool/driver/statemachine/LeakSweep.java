package nodepool.driver.statemachine;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.ProviderContext;
import nodepool.api.event.Event;
import nodepool.api.store.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what carries the provider's name and belongs to no record, twice in a row, and removes it. Twice, because a record
 * may be younger than the listing; and the records are looked at again right before anything is removed. Thread-safe; a
 * sweep during another one does nothing.
 */
final class LeakSweep {

    private static final Logger log = LoggerFactory.getLogger("nodepool.LeakSweep");

    private final String provider;
    private final ProviderContext context;
    private final ReentrantLock sweeping = new ReentrantLock();
    private Set<Owner> suspects = Set.of();

    /** What something in the cloud says whose it is. */
    private sealed interface Owner {

        record OfNode(String id) implements Owner {}

        /** The answer to a call that was given up may come late: then a node has two machines, and knows one. */
        record OfMachine(String node, String externalId) implements Owner {}

        /** Upload ids alone repeat between builds. */
        record OfUpload(String buildId, String id) implements Owner {}
    }

    LeakSweep(String provider, ProviderContext context) {
        this.provider = provider;
        this.context = context;
    }

    /** @param delete removes one resource */
    void sweep(Snapshot snapshot, List<Resource> resources, CloudConsumer<Resource> delete) {
        if (!sweeping.tryLock()) {
            return;
        }
        try {
            Set<Owner> candidates = new HashSet<>();
            for (Resource resource : resources) {
                Optional<Owner> owner = owner(resource).filter(Predicate.not(one -> isKnown(one, snapshot)));
                owner.ifPresent(candidates::add);
                if (owner.filter(suspects::contains).filter(this::isUnknownNow).isPresent()) {
                    remove(resource, delete);
                }
            }
            suspects = candidates;
        } finally {
            sweeping.unlock();
        }
    }

    /** A call for one thing. */
    @FunctionalInterface
    interface CloudConsumer<T> {
        void accept(T thing) throws CloudException;
    }

    /** One that cannot be removed does not keep the others; it stays a suspect. */
    private void remove(Resource resource, CloudConsumer<Resource> delete) {
        log.warn("Deleting leaked {} {} of provider {}", resource.type(), resource.id(), provider);
        try {
            delete.accept(resource);
            context.events().on(new Event.LeakRemoved(provider, resource.plural(), resource.id()));
        } catch (CloudException e) {
            log.warn("Could not delete leaked {} {}: {}", resource.type(), resource.id(), e.getMessage());
        }
    }

    private Optional<Owner> owner(Resource resource) {
        Map<String, String> metadata = resource.metadata();
        if (!provider.equals(metadata.get(Launch.PROVIDER_NAME))) {
            return Optional.empty();
        }
        Optional<String> node = Optional.ofNullable(metadata.get(Launch.NODE_ID));
        if (node.isPresent()) {
            return node.map(id -> resource.machine() ? new Owner.OfMachine(id, resource.id()) : new Owner.OfNode(id));
        }
        return Optional.ofNullable(metadata.get(ManagedImages.UPLOAD_ID))
                .flatMap(upload -> Optional.ofNullable(metadata.get(ManagedImages.BUILD_ID))
                        .map(build -> new Owner.OfUpload(build, upload)));
    }

    private boolean isUnknownNow(Owner owner) {
        return context.snapshots().current().filter(now -> !isKnown(owner, now)).isPresent();
    }

    private boolean isKnown(Owner owner, Snapshot snapshot) {
        if (owner instanceof Owner.OfNode node) {
            return snapshot.node(node.id()).isPresent();
        }
        if (owner instanceof Owner.OfMachine machine) {
            return snapshot.node(machine.node())
                    .filter(node -> node.machine()
                            .externalId()
                            .map(machine.externalId()::equals)
                            .orElse(true))
                    .isPresent();
        }
        Owner.OfUpload wanted = (Owner.OfUpload) owner;
        return snapshot.images().stream()
                .flatMap(image -> snapshot.uploads(image).stream())
                .anyMatch(upload -> upload.provider().equals(provider)
                        && upload.buildId().equals(wanted.buildId())
                        && upload.id().equals(wanted.id()));
    }
}
