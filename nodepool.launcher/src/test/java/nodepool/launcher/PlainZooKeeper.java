package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import nodepool.api.store.SnapshotSource.Subscription;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** Direct access to the store, to do what others may do and our stores never would. */
final class PlainZooKeeper implements AutoCloseable {

    private final ZooKeeper client;

    /** One call of the client. */
    private interface Call<T> {
        T run() throws KeeperException, InterruptedException;
    }

    PlainZooKeeper(String connectString) {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        try {
            client = new ZooKeeper(connectString, 10_000, event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                    connected.complete(null);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Bell.await(connected);
    }

    /** Makes an entry that stays, and the directories above it. */
    void createPath(String path, String text) {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            String directory = path.substring(0, slash);
            if (!exists(directory)) {
                create(directory, "");
            }
        }
        create(path, text);
    }

    private void create(String path, String text) {
        run(() ->
                client.create(path, text.getBytes(StandardCharsets.UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
    }

    private String read(String path) {
        return new String(run(() -> client.getData(path, false, new Stat())), StandardCharsets.UTF_8);
    }

    private void write(String path, String text) {
        run(() -> client.setData(path, text.getBytes(StandardCharsets.UTF_8), -1));
    }

    void edit(String path, UnaryOperator<String> change) {
        String before = read(path);
        String after = change.apply(before);
        assertNotEquals(before, after, "edited text of " + path);
        write(path, after);
    }

    boolean exists(String path) {
        return run(() -> Optional.ofNullable(client.exists(path, false))).isPresent();
    }

    List<String> children(String path) {
        return run(() -> client.getChildren(path, false));
    }

    /** Removes an entry and everything below it. */
    void deleteTree(String path) {
        run(() -> {
            ZKUtil.deleteRecursive(client, path);
            return path;
        });
    }

    /** The session that made an ephemeral entry. */
    long owner(String path) {
        return run(() -> client.exists(path, false)).getEphemeralOwner();
    }

    /** Calls {@code wake} after every change below that path; it may block. */
    Subscription onChange(String path, Runnable wake) {
        Watcher watcher = event -> wake.run();
        run(() -> {
            client.addWatch(path, watcher, AddWatchMode.PERSISTENT_RECURSIVE);
            return path;
        });
        return () -> run(() -> {
            client.removeWatches(path, watcher, WatcherType.Any, true);
            return path;
        });
    }

    private static <T> T run(Call<T> call) {
        try {
            return call.run();
        } catch (KeeperException e) {
            throw new AssertionError("ZooKeeper refused", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        run(() -> {
            client.close();
            return true;
        });
    }
}
