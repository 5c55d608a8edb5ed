package nodepool.zk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import nodepool.api.config.ZooKeeperConfig;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Makes the directory below which everything lies. A client that is bound to a chroot cannot: it takes a short connection of
 * its own.
 */
final class Chroot {

    private Chroot() {}

    /** Completes when the directory and its parents exist. */
    static CompletableFuture<Void> make(ZooKeeperConfig config, ZKClientConfig settings) {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        try {
            ZooKeeper zk = new ZooKeeper(
                    String.join(",", config.servers()),
                    (int) config.timeout().toMillis(),
                    event -> {
                        if (event.getState() == KeeperState.SyncConnected) {
                            connected.complete(null);
                        }
                    },
                    settings);
            return connected
                    .orTimeout(config.timeout().toMillis(), TimeUnit.MILLISECONDS)
                    .thenCompose(done -> create(zk, parts(config.chroot())))
                    .whenComplete((done, failure) -> CompletableFuture.runAsync(() -> close(zk)));
        } catch (java.io.IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** {@code /a/b} lies in {@code /a}. */
    static List<String> parts(String chroot) {
        List<String> parts = new ArrayList<>();
        for (int slash = chroot.indexOf('/', 1); slash > 0; slash = chroot.indexOf('/', slash + 1)) {
            parts.add(chroot.substring(0, slash));
        }
        parts.add(chroot);
        return parts;
    }

    private static CompletableFuture<Void> create(ZooKeeper zk, List<String> directories) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (String directory : directories) {
            CompletableFuture<Void> made = new CompletableFuture<>();
            zk.create(
                    directory,
                    new byte[0],
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT,
                    (rc, path, ctx, name) -> {
                        if (rc == Code.OK.intValue() || rc == Code.NODEEXISTS.intValue()) {
                            made.complete(null);
                        } else {
                            made.completeExceptionally(KeeperException.create(Code.get(rc), path));
                        }
                    },
                    made);
            all.add(made);
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    private static void close(ZooKeeper zk) {
        try {
            zk.close();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
