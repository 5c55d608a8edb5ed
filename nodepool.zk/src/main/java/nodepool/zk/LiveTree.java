package nodepool.zk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import nodepool.api.registry.Registration;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of the tree, and of what operators want of providers, kept up to date by recursive watches. These are set first, then everything is read; after every
 * reconnect both are done again, because the server does not replay what was missed. Until that is finished there is no
 * snapshot. Changes are applied under this object's monitor, for moments only; snapshots are immutable and made on demand,
 * sharing what has not changed.
 */
final class LiveTree implements SnapshotSource, Session.Listener {

    private static final Logger log = LoggerFactory.getLogger("nodepool.zk.cache");

    /** Before what could not be read is tried again. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Session session;
    private final Admission admission;
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    private TreeContent content = new TreeContent();
    /** Changed documents that are being read, and how often. */
    private final Map<String, Integer> readings = new HashMap<>();
    /** Contenders that are gone and are shown until the node they guarded was read. */
    private final List<String> released = new ArrayList<>();

    private List<CompletableFuture<Snapshot>> waiting = new ArrayList<>();
    private long number;
    private Optional<TreeSnapshot> made = Optional.empty();
    private Optional<Walk> walk = Optional.empty();
    private Optional<Watch> watching = Optional.empty();
    private boolean ready;
    private String trouble = "not connected yet";

    LiveTree(Session session, Admission admission) {
        this.session = session;
        this.admission = admission;
    }

    /** One reading of everything: how many answers are outstanding, which paths were seen, and what was not answered. */
    private static final class Walk {
        private final ZooKeeper zk;
        private final Set<String> seen = new HashSet<>();
        private int outstanding;
        private Optional<Throwable> failure = Optional.empty();

        Walk(ZooKeeper zk) {
            this.zk = zk;
        }
    }

    /** The one watcher of a handle: set again after every reconnect, it counts once. */
    private final class Watch implements Watcher {
        private final ZooKeeper zk;

        Watch(ZooKeeper zk) {
            this.zk = zk;
        }

        @Override
        public void process(WatchedEvent event) {
            changed(zk, event);
        }
    }

    @Override
    public void connected(ZooKeeper zk) {
        Walk begun = new Walk(zk);
        Watcher watcher;
        synchronized (this) {
            if (watching.filter(known -> known.zk == zk).isEmpty()) {
                watching = Optional.of(new Watch(zk));
            }
            watcher = watching.get();
            walk = Optional.of(begun);
            ready = false;
            readings.clear();
            released.clear();
            trouble = "reading everything";
            begun.outstanding = 1;
        }
        session.ensure(zk, Paths.DIRECTORIES)
                .thenCompose(done -> session.watch(zk, Paths.ROOT, watcher))
                .thenCompose(done -> session.watch(zk, Paths.PROVIDERS, watcher))
                .thenCompose(done -> session.ensure(zk, Paths.DIRECTORIES))
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        list(begun, Paths.REQUESTS);
                        list(begun, Paths.NODES);
                        list(begun, Paths.IMAGES);
                        list(begun, Paths.PROVIDERS);
                        for (Registration.Kind kind : Registration.Kind.values()) {
                            list(begun, Paths.COMPONENTS + "/" + kind.wireName());
                        }
                    }
                    answered(begun, Optional.ofNullable(failure));
                });
    }

    @Override
    public void suspended() {
        stale("ZooKeeper at " + session.where() + " does not answer");
    }

    @Override
    public void lost() {
        synchronized (this) {
            // The next session may be with a server that was set up anew, where numbers begin again.
            content = new TreeContent();
        }
        stale("the ZooKeeper session was lost");
    }

    @Override
    public synchronized void unreachable(String why) {
        trouble = why;
    }

    private void stale(String why) {
        synchronized (this) {
            ready = false;
            walk = Optional.empty();
            made = Optional.empty();
            trouble = why;
        }
        wake();
    }

    /** Reads the children of a directory and everything below that matters. */
    private void list(Walk of, String directory) {
        begin(of);
        session.children(of.zk, directory).whenComplete((names, failure) -> {
            if (failure == null) {
                for (String name : names) {
                    visit(of, directory + "/" + name);
                }
            }
            answered(of, Optional.ofNullable(failure));
        });
    }

    private void visit(Walk of, String path) {
        Place place = Place.of(path);
        switch (place.kind()) {
            case COMPONENT -> fetch(of, path);
            case REQUEST -> {
                fetch(of, path);
                list(of, Paths.requestLock(place.id()));
            }
            case NODE -> {
                fetch(of, path);
                list(of, path + "/lock");
            }
            case REQUEST_CONTENDER, CONTENDER, FLAG, IMAGE, PROVIDER_MARK -> {
                see(of, path);
                appeared(path, place);
                if (place.kind() == Place.Kind.IMAGE) {
                    list(of, path);
                }
            }
            case BUILD -> {
                fetch(of, path);
                list(of, path + "/providers");
            }
            case UPLOAD -> fetch(of, path);
            case IMAGE_LOCK, PROVIDER -> list(of, path);
            case BUILDS, UPLOADS_OF, UPLOADS ->
                list(of, path.endsWith("/images") || place.kind() == Place.Kind.BUILDS ? path : path + "/images");
            case OTHER -> see(of, path);
        }
    }

    private void fetch(Walk of, String path) {
        see(of, path);
        begin(of);
        session.get(of.zk, path).whenComplete((found, failure) -> {
            if (failure == null) {
                if (found.isPresent()) {
                    put(path, found.get());
                } else {
                    remove(path);
                }
            }
            answered(of, Optional.ofNullable(failure));
        });
    }

    private synchronized void see(Walk of, String path) {
        of.seen.add(path);
    }

    private synchronized void begin(Walk of) {
        of.outstanding++;
    }

    private void answered(Walk of, Optional<Throwable> failure) {
        Runnable then;
        synchronized (this) {
            of.outstanding--;
            of.failure = of.failure.or(() -> failure);
            if (of.outstanding > 0 || walk.filter(mine -> mine == of).isEmpty()) {
                return;
            }
            walk = Optional.empty();
            then = of.failure.isPresent() ? () -> tryAgain(of) : everythingWasRead(of);
        }
        then.run();
    }

    /** From now on there are snapshots, if this process may take part. Gives what is to be done outside of the monitor. */
    private synchronized Runnable everythingWasRead(Walk done) {
        content.keepOnly(done.seen);
        touched();
        Snapshot first = content.snapshot(number);
        Optional<String> objection = admission.objection(first);
        if (objection.isPresent()) {
            trouble = objection.get();
            return () -> admission.refuse(objection.get());
        }
        ready = true;
        trouble = "";
        List<CompletableFuture<Snapshot>> told = waiting;
        waiting = new ArrayList<>();
        return () -> {
            admission.grant();
            wake();
            told.forEach(one -> one.complete(first));
        };
    }

    /** Part of the tree was not read, and might look as if it were not there. A new connection begins anew by itself. */
    private void tryAgain(Walk failed) {
        failed.failure
                .filter(why -> Session.code(why)
                        .filter(code -> code != Code.CONNECTIONLOSS)
                        .isPresent())
                .ifPresent(why ->
                        log.warn("Could not read the tree of {}, trying again: {}", session.where(), why.toString()));
        CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    boolean idle;
                    synchronized (this) {
                        idle = walk.isEmpty() && !ready;
                    }
                    if (idle && session.isCurrent(failed.zk)) {
                        connected(failed.zk);
                    }
                });
    }

    private void changed(ZooKeeper zk, WatchedEvent event) {
        String path = event.getPath();
        if (path == null || event.getType() == EventType.NodeChildrenChanged || !session.isCurrent(zk)) {
            return;
        }
        if (event.getType() == EventType.NodeDeleted) {
            deleted(path, Place.of(path));
            return;
        }
        synchronized (this) {
            walk.ifPresent(under -> under.seen.add(path));
        }
        Place place = Place.of(path);
        switch (place.kind()) {
            case REQUEST, NODE, COMPONENT, BUILD, UPLOAD -> refresh(zk, path);
            case REQUEST_CONTENDER, CONTENDER, FLAG, IMAGE, PROVIDER_MARK -> appeared(path, place);
            case PROVIDER, IMAGE_LOCK, BUILDS, UPLOADS_OF, UPLOADS, OTHER -> {}
        }
    }

    private void refresh(ZooKeeper zk, String path) {
        synchronized (this) {
            readings.merge(path, 1, Integer::sum);
        }
        session.get(zk, path).whenComplete((found, failure) -> {
            if (failure == null) {
                found.ifPresentOrElse(data -> put(path, data), () -> remove(path));
            }
            releasedBelow(path).forEach(this::remove);
        });
    }

    private static String guardedBy(String contender) {
        Place place = Place.of(contender);
        return place.kind() == Place.Kind.CONTENDER ? Paths.node(place.id()) : Paths.request(place.id());
    }

    /** A document was read: the releases that waited for it, if it is not being read once more. */
    private synchronized List<String> releasedBelow(String path) {
        readings.computeIfPresent(path, (same, count) -> count > 1 ? count - 1 : null);
        List<String> due = new ArrayList<>();
        if (!readings.containsKey(path)) {
            released.removeIf(contender -> guardedBy(contender).equals(path) && due.add(contender));
        }
        return due;
    }

    /**
     * A lock is often released in one transaction with the last change of what it guards. Nobody may see the release before
     * the change, or it would look as if the holder had died.
     */
    private void deleted(String path, Place place) {
        boolean release = place.kind() == Place.Kind.CONTENDER || place.kind() == Place.Kind.REQUEST_CONTENDER;
        synchronized (this) {
            if (release && readings.containsKey(guardedBy(path))) {
                released.add(path);
                return;
            }
        }
        remove(path);
    }

    private void appeared(String path, Place place) {
        synchronized (this) {
            content.appeared(path, place);
            touched();
        }
        if (place.kind() != Place.Kind.REQUEST_CONTENDER) {
            wakeIfReady();
        }
    }

    /** Takes a document, unless it, or a newer one, is here already. */
    void put(String path, Session.Found found) {
        synchronized (this) {
            if (!content.put(path, found)) {
                return;
            }
            touched();
        }
        wakeIfReady();
    }

    private void remove(String path) {
        Place place = Place.of(path);
        if (place.kind() == Place.Kind.OTHER) {
            return;
        }
        boolean interesting;
        synchronized (this) {
            content.remove(path);
            touched();
            interesting = place.kind() != Place.Kind.REQUEST_CONTENDER || content.isAbandoned(place.id());
        }
        if (interesting) {
            wakeIfReady();
        }
    }

    private void touched() {
        number++;
        made = Optional.empty();
    }

    /** While everything is read anew there is nothing to look at. */
    private void wakeIfReady() {
        synchronized (this) {
            if (!ready) {
                return;
            }
        }
        wake();
    }

    private void wake() {
        wakes.forEach(Runnable::run);
    }

    @Override
    public synchronized Optional<Snapshot> current() {
        if (!ready) {
            return Optional.empty();
        }
        if (made.isEmpty()) {
            made = Optional.of(content.snapshot(number));
        }
        return Optional.of(made.get());
    }

    @Override
    public synchronized CompletionStage<Snapshot> next() {
        CompletableFuture<Snapshot> later = new CompletableFuture<>();
        current().ifPresentOrElse(later::complete, () -> waiting.add(later));
        return later;
    }

    @Override
    public CompletionStage<Snapshot> caughtUp() {
        return Async.call(() -> answered(session.handle())).thenCompose(done -> next());
    }

    private CompletableFuture<Void> answered(ZooKeeper zk) {
        return session.get(zk, Paths.ROOT)
                .<Void>thenApply(Async::ignore)
                .exceptionallyCompose(failure -> Session.code(failure)
                                .filter(Code.CONNECTIONLOSS::equals)
                                .isPresent()
                        ? answered(zk)
                        : CompletableFuture.failedFuture(failure));
    }

    @Override
    public Subscription onChange(Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }

    @Override
    public synchronized Status status() {
        return new Status(ready, ready ? "connected to " + session.where() : trouble);
    }
}
