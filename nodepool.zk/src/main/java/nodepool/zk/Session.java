package nodepool.zk;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.store.SessionLostException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection. Operations are asynchronous, and bound to the ZooKeeper handle in which their locks were taken, so that
 * nothing is ever written after its session ended. An operation whose answer is lost with the connection fails with
 * {@link KeeperException.ConnectionLossException}: {@link Definite} finds out what became of it.
 */
final class Session implements AutoCloseable {

    /** Told of the connection's fate, on Curator's event thread. */
    interface Listener {
        /** The store answers; the same session as before, or a new one. */
        void connected(ZooKeeper handle);

        /** The store does not answer at the moment. */
        void suspended();

        /** The session is gone. */
        void lost();

        /** There is no connection; why, in words for an operator. */
        default void unreachable(String why) {}
    }

    private static final Duration FIRST_COMPLAINT = Duration.ofSeconds(3);
    private static final Duration NEXT_COMPLAINT = Duration.ofMinutes(1);
    private static final Logger log = LoggerFactory.getLogger("nodepool.zk.ZooKeeper");

    private final ZooKeeperConfig config;
    private final CuratorFramework curator;
    private final String where;
    private final Optional<TlsClient> tls;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile Optional<ZooKeeper> handle = Optional.empty();
    private volatile boolean closed;

    /** @throws IllegalArgumentException if the configuration cannot work, naming what is wrong */
    Session(ZooKeeperConfig config) {
        this.config = config;
        this.where = config.connectString();
        this.tls = config.tls().map(TlsClient::new);
        this.curator = inOwnClassLoader(() -> build(config, settings()));
        curator.getConnectionStateListenable().addListener((client, state) -> changed(state));
    }

    /** ZooKeeper looks classes up by name in the thread's class loader: it must be this bundle's. */
    private static <T> T inOwnClassLoader(Supplier<T> call) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(Session.class.getClassLoader());
        try {
            return call.get();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private ZKClientConfig settings() {
        ZKClientConfig settings = tls.map(TlsClient::settings).orElseGet(ZKClientConfig::new);
        settings.setProperty(ZKClientConfig.JUTE_MAXBUFFER, Integer.toString(MessageLimit.ANSWER_BYTES));
        return settings;
    }

    private static CuratorFramework build(ZooKeeperConfig config, ZKClientConfig settings) {
        return CuratorFrameworkFactory.builder()
                .connectString(config.connectString())
                .sessionTimeoutMs((int) config.timeout().toMillis())
                .connectionTimeoutMs((int) config.timeout().toMillis())
                .defaultData(new byte[0])
                .dontUseContainerParents()
                .retryPolicy(new ExponentialBackoffRetry(500, 10, 10_000))
                .zkClientConfig(settings)
                .build();
    }

    void listen(Listener listener) {
        listeners.add(listener);
    }

    void start() {
        inOwnClassLoader(() -> {
            curator.start();
            return curator;
        });
        log.info("Connecting to ZooKeeper at {}", where);
        complainLater(FIRST_COMPLAINT);
    }

    private void complainLater(Duration delay) {
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                .execute(this::complain);
    }

    /** A server that is away from the start makes no event: say so, now and then. */
    private void complain() {
        if (closed || handle.isPresent()) {
            return;
        }
        if (tls.isPresent()) {
            TlsDiagnosis diagnosis = tls.get().diagnosis();
            Thread asking = new Thread(() -> complain(diagnosis.of(config.servers())), "zookeeper-tls");
            asking.setDaemon(true);
            asking.start();
        } else {
            complain(Optional.empty());
        }
    }

    private void complain(Optional<String> reason) {
        if (!closed && handle.isEmpty()) {
            String why = "ZooKeeper at " + where + " does not answer"
                    + reason.map(text -> ": " + text).orElse("");
            log.warn("{}; trying on", why);
            listeners.forEach(listener -> listener.unreachable(why));
            complainLater(NEXT_COMPLAINT);
        }
    }

    String where() {
        return where;
    }

    private void changed(ConnectionState state) {
        switch (state) {
            case CONNECTED, RECONNECTED -> connected();
            case SUSPENDED -> {
                log.warn("ZooKeeper at {} does not answer; no decision is made until it does", where);
                listeners.forEach(Listener::suspended);
            }
            case LOST -> {
                log.warn("The ZooKeeper session was lost; everything held in it is given up");
                handle = Optional.empty();
                listeners.forEach(Listener::lost);
            }
            case READ_ONLY -> log.warn("ZooKeeper is read-only; waiting");
        }
    }

    private void connected() {
        try {
            ZooKeeper now = curator.getZookeeperClient().getZooKeeper();
            if (handle.filter(before -> before != now).isPresent()) {
                listeners.forEach(Listener::lost);
            }
            handle = Optional.of(now);
            log.info("ZooKeeper at {} available", where);
            if (config.chroot().isEmpty()) {
                listeners.forEach(listener -> listener.connected(now));
            } else {
                connectedBelow(now);
            }
        } catch (Exception e) {
            log.warn("ZooKeeper at {} went away again: {}", where, e.toString());
        }
    }

    /** What everything lies below may not be there yet. */
    private void connectedBelow(ZooKeeper now) {
        Chroot.make(config, settings()).whenComplete((done, failure) -> {
            if (!isCurrent(now)) {
                return;
            }
            if (failure == null) {
                listeners.forEach(listener -> listener.connected(now));
            } else {
                log.warn("Could not make {} in ZooKeeper, trying on: {}", config.chroot(), failure.toString());
                CompletableFuture.delayedExecutor(FIRST_COMPLAINT.toSeconds(), TimeUnit.SECONDS)
                        .execute(() -> connectedBelow(now));
            }
        });
    }

    /** The handle in use; fails with {@link SessionLostException} if there is none. */
    ZooKeeper handle() {
        return handle.orElseThrow(() -> new SessionLostException("not connected to ZooKeeper at " + where));
    }

    boolean isCurrent(ZooKeeper candidate) {
        return !closed && handle.filter(now -> now == candidate).isPresent();
    }

    /** Several writes, all or nothing. Fails with {@link KeeperException} or {@link SessionLostException}. */
    CompletableFuture<List<OpResult>> multi(ZooKeeper zk, List<Op> ops) {
        CompletableFuture<List<OpResult>> result = new CompletableFuture<>();
        if (!isCurrent(zk)) {
            result.completeExceptionally(new SessionLostException("the session of this lock is gone"));
            return result;
        }
        Optional<IllegalArgumentException> tooMuch = MessageLimit.objection(ops);
        if (tooMuch.isPresent()) {
            result.completeExceptionally(tooMuch.get());
            return result;
        }
        zk.multi(ops, (rc, path, ctx, results) -> settle(zk, rc, firstError(results), below(results), result), result);
        return result;
    }

    /** In the results of several writes the client leaves the chroot before the names of what was created. */
    private List<OpResult> below(List<OpResult> results) {
        String chroot = config.chroot();
        if (results == null || chroot.isEmpty()) {
            return results;
        }
        return results.stream()
                .map(result -> result instanceof OpResult.CreateResult created
                                && created.getPath().startsWith(chroot + "/")
                        ? new OpResult.CreateResult(created.getPath().substring(chroot.length()), created.getStat())
                        : result)
                .toList();
    }

    private static String firstError(List<OpResult> results) {
        StringBuilder which = new StringBuilder();
        if (results != null) {
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof OpResult.ErrorResult error
                        && error.getErr() != Code.OK.intValue()
                        && error.getErr() != Code.RUNTIMEINCONSISTENCY.intValue()) {
                    which.append(i);
                }
            }
        }
        return which.toString();
    }

    CompletableFuture<String> create(ZooKeeper zk, String path, byte[] data, CreateMode mode) {
        CompletableFuture<String> result = new CompletableFuture<>();
        if (!isCurrent(zk)) {
            result.completeExceptionally(new SessionLostException("the session is gone"));
            return result;
        }
        Optional<IllegalArgumentException> tooMuch = MessageLimit.objection(path, data);
        if (tooMuch.isPresent()) {
            result.completeExceptionally(tooMuch.get());
            return result;
        }
        zk.create(
                path,
                data,
                Ids.OPEN_ACL_UNSAFE,
                mode,
                (rc, p, ctx, name) -> settle(zk, rc, path, name, result),
                result);
        return result;
    }

    CompletableFuture<Stat> set(ZooKeeper zk, String path, byte[] data, int version) {
        CompletableFuture<Stat> result = new CompletableFuture<>();
        if (!isCurrent(zk)) {
            result.completeExceptionally(new SessionLostException("the session is gone"));
            return result;
        }
        Optional<IllegalArgumentException> tooMuch = MessageLimit.objection(path, data);
        if (tooMuch.isPresent()) {
            result.completeExceptionally(tooMuch.get());
            return result;
        }
        zk.setData(path, data, version, (rc, p, ctx, stat) -> settle(zk, rc, path, stat, result), result);
        return result;
    }

    CompletableFuture<Void> delete(ZooKeeper zk, String path) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        if (!isCurrent(zk)) {
            result.completeExceptionally(new SessionLostException("the session is gone"));
            return result;
        }
        zk.delete(path, -1, (rc, p, ctx) -> settle(zk, rc, path, Async.nothing(), result), result);
        return result;
    }

    /** A znode's data and stat; absent if there is none. */
    CompletableFuture<Optional<Found>> get(ZooKeeper zk, String path) {
        CompletableFuture<Optional<Found>> result = new CompletableFuture<>();
        zk.getData(
                path,
                false,
                (rc, p, ctx, data, stat) -> {
                    if (rc == Code.NONODE.intValue()) {
                        result.complete(Optional.empty());
                    } else {
                        settle(
                                zk,
                                rc,
                                path,
                                Optional.ofNullable(
                                        data == null && rc != 0
                                                ? null
                                                : new Found(data == null ? new byte[0] : data, stat)),
                                result);
                    }
                },
                result);
        return result;
    }

    /** Names below a znode; empty if there is none. */
    CompletableFuture<List<String>> children(ZooKeeper zk, String path) {
        CompletableFuture<List<String>> result = new CompletableFuture<>();
        zk.getChildren(
                path,
                false,
                (int rc, String p, Object ctx, List<String> names) -> {
                    if (rc == Code.NONODE.intValue()) {
                        result.complete(List.of());
                    } else {
                        settle(zk, rc, path, names == null ? List.of() : names, result);
                    }
                },
                result);
        return result;
    }

    /** Completes when the server this client is connected to has caught up with everything decided before. */
    CompletableFuture<Void> sync(ZooKeeper zk) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        if (!isCurrent(zk)) {
            result.completeExceptionally(new SessionLostException("the session is gone"));
            return result;
        }
        zk.sync("/", (rc, p, ctx) -> settle(zk, rc, "/", Async.nothing(), result), result);
        return result;
    }

    CompletableFuture<Void> watch(ZooKeeper zk, String path, Watcher watcher) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        zk.addWatch(
                path,
                watcher,
                AddWatchMode.PERSISTENT_RECURSIVE,
                (rc, p, ctx) -> settle(zk, rc, path, Async.nothing(), result),
                result);
        return result;
    }

    private <T> void settle(ZooKeeper zk, int rc, String path, T value, CompletableFuture<T> result) {
        Code code = Code.get(rc);
        switch (code) {
            case OK -> result.complete(value);
            case SESSIONEXPIRED, SESSIONMOVED, AUTHFAILED -> {
                abandon(zk);
                result.completeExceptionally(new SessionLostException("ZooKeeper: " + code));
            }
            default -> result.completeExceptionally(KeeperException.create(code, path));
        }
    }

    /** Ends the session of that handle, so that it is certain that nothing of it is left. */
    private void abandon(ZooKeeper zk) {
        if (!closed && isCurrent(zk)) {
            handle = Optional.empty();
            listeners.forEach(Listener::lost);
            try {
                curator.getZookeeperClient().reset();
            } catch (Exception e) {
                log.warn("Could not renew the connection to ZooKeeper at {}: {}", where, e.toString());
            }
        }
    }

    /** The code of a failed operation; absent for other failures. */
    static Optional<Code> code(Throwable failure) {
        Throwable inner = failure;
        while (inner instanceof CompletionException && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner instanceof KeeperException known ? Optional.of(known.code()) : Optional.empty();
    }

    /** Whether a transaction failed with that code at its operation of that number. */
    static boolean failedAt(Throwable failure, int operation, Code code) {
        Throwable inner = failure;
        while (inner instanceof CompletionException && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner instanceof KeeperException known
                && known.code() == code
                && Integer.toString(operation).equals(known.getPath());
    }

    /** Creates the directories of the wire contract, as plain persistent znodes. */
    CompletableFuture<Void> ensure(ZooKeeper zk, List<String> directories) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (String directory : directories) {
            all.add(create(zk, directory, new byte[0], CreateMode.PERSISTENT).exceptionally(failure -> {
                if (code(failure).filter(Code.NODEEXISTS::equals).isPresent()) {
                    return directory;
                }
                throw failure instanceof CompletionException same ? same : new CompletionException(failure);
            }));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    @Override
    public void close() {
        closed = true;
        curator.close();
        tls.ifPresent(TlsClient::close);
    }

    /** A znode as read. Two are never compared. */
    @SuppressWarnings("ArrayRecordComponent") // bytes on their way to the parser
    record Found(byte[] data, Stat stat) {
        Instant created() {
            return Instant.ofEpochMilli(stat.getCtime());
        }
    }
}
