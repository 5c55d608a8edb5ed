package nodepool.zk;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.registry.ComponentRegistry;
import nodepool.api.registry.Registration;
import nodepool.api.store.SessionLostException;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registrations in ZooKeeper, made anew with every session. */
final class ZkComponentRegistry implements ComponentRegistry, Session.Listener {

    private static final Logger log = LoggerFactory.getLogger("nodepool.Component");

    private final Definite definite;
    private final Admission admission;
    private final Optional<OldRegistrations> old;
    private final List<OwnZnode> own = new CopyOnWriteArrayList<>();

    /** @param old where pools are registered too, if they are */
    ZkComponentRegistry(Definite definite, Admission admission, Optional<OldRegistrations> old) {
        this.definite = definite;
        this.admission = admission;
        this.old = old;
    }

    @Override
    public CompletionStage<Own> register(Registration registration) {
        OwnZnode made = new OwnZnode(registration);
        own.add(made);
        admission.granted().whenComplete((granted, refused) -> {
            if (refused == null) {
                create(made);
            } else {
                own.remove(made);
                made.stored.completeExceptionally(refused);
            }
        });
        return made.stored.thenApply(done -> made);
    }

    private void create(OwnZnode made) {
        made.alsoInOld();
        try {
            made.create(definite.handle());
        } catch (SessionLostException notConnected) {
            log.debug("Registered when connected", notConnected);
        }
    }

    @Override
    public void connected(ZooKeeper handle) {
        old.ifPresent(also -> also.connected(handle));
        definite.ensure(handle, Paths.DIRECTORIES).whenComplete((done, failure) -> {
            if (failure == null && admission.isGranted()) {
                own.forEach(one -> one.create(handle));
            }
        });
    }

    @Override
    public void suspended() {}

    @Override
    public void lost() {
        old.ifPresent(OldRegistrations::lost);
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

        private synchronized void alsoInOld() {
            if (!closed) {
                old.ifPresent(also -> registration.pool().ifPresent(also::put));
            }
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
                if (in.filter(same -> same == zk).isEmpty()) {
                    return; // It went away with its session.
                }
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
                alsoInOld();
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
                old.ifPresent(also -> registration.pool().ifPresent(also::remove));
                stored.complete(null);
                return path.isPresent() && in.isPresent()
                        ? definite.delete(in.get(), path.get()).exceptionally(Async::ignore)
                        : CompletableFuture.completedFuture(null);
            }
        }
    }
}
