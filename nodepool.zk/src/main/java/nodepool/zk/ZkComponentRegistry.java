package nodepool.zk;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.registry.ComponentRegistry;
import nodepool.api.registry.Registration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registrations in ZooKeeper, made anew with every session. */
final class ZkComponentRegistry implements ComponentRegistry, Session.Listener {

    private static final Logger log = LoggerFactory.getLogger("nodepool.Component");

    private final Definite definite;
    private final List<OwnZnode> own = new CopyOnWriteArrayList<>();

    ZkComponentRegistry(Definite definite) {
        this.definite = definite;
    }

    @Override
    public CompletionStage<Own> register(Registration registration) {
        OwnZnode made = new OwnZnode(registration);
        own.add(made);
        try {
            made.create(definite.handle());
        } catch (RuntimeException notConnected) {
            log.debug("Registered when connected", notConnected);
        }
        return made.stored.thenApply(done -> made);
    }

    @Override
    public void connected(ZooKeeper handle) {
        definite.ensure(handle, Paths.DIRECTORIES).whenComplete((done, failure) -> {
            if (failure == null) {
                own.forEach(one -> one.create(handle));
            }
        });
    }

    @Override
    public void suspended() {}

    @Override
    public void lost() {
        own.forEach(OwnZnode::lost);
    }

    /** One registration; its state is guarded by its monitor. */
    private final class OwnZnode implements Own {
        private final CompletableFuture<Void> stored = new CompletableFuture<>();
        private Registration registration;
        private Optional<ZooKeeper> in = Optional.empty();
        private Optional<String> path = Optional.empty();
        private boolean closed;

        OwnZnode(Registration registration) {
            this.registration = registration;
        }

        private synchronized void create(ZooKeeper zk) {
            if (closed || in.filter(same -> same == zk).isPresent()) {
                return;
            }
            in = Optional.of(zk);
            path = Optional.empty();
            Registration asOf = registration;
            String prefix = Paths.COMPONENTS + "/" + asOf.kind().wireName() + "/" + asOf.hostname();
            definite.createNumbered(zk, prefix, JsonText.write(Documents.write(asOf)), CreateMode.EPHEMERAL_SEQUENTIAL)
                    .whenComplete((name, failure) -> {
                        if (failure != null) {
                            if (Session.code(failure)
                                    .filter(Code.NONODE::equals)
                                    .isPresent()) {
                                lost(); // The directories are not there yet: connected() comes back to it.
                            }
                            log.debug("Registered later", failure);
                        } else {
                            created(zk, name, asOf);
                        }
                    });
        }

        private void created(ZooKeeper zk, String name, Registration asOf) {
            boolean unwanted;
            Registration now;
            synchronized (this) {
                unwanted = closed;
                path = Optional.of(name);
                now = registration;
            }
            if (unwanted) {
                definite.delete(zk, name);
            } else if (!now.equals(asOf)) {
                definite.set(zk, name, JsonText.write(Documents.write(now)));
            }
            stored.complete(null);
        }

        private synchronized void lost() {
            in = Optional.empty();
            path = Optional.empty();
        }

        @Override
        public void publish(Registration changed) {
            synchronized (this) {
                if (changed.equals(registration)) {
                    return;
                }
                registration = changed;
                if (path.isEmpty() || in.isEmpty()) {
                    return;
                }
                definite.set(in.get(), path.get(), JsonText.write(Documents.write(changed)));
            }
        }

        @Override
        public CompletionStage<Void> close() {
            synchronized (this) {
                closed = true;
                own.remove(this);
                stored.complete(null);
                return path.isPresent() && in.isPresent()
                        ? definite.delete(in.get(), path.get()).exceptionally(Async::ignore)
                        : CompletableFuture.completedFuture(null);
            }
        }
    }
}
