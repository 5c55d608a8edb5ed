package nodepool.zk;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.registry.Registration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's pools where launchers and Zuuls before 2022 look for them. As then, each entry has the labels of all pools
 * of the process. Thread-safe; writes one after the other.
 */
final class OldRegistrations {

    private static final Logger log = LoggerFactory.getLogger("nodepool.Component");

    private final Definite definite;
    private final Map<String, Registration.Pool> pools = new TreeMap<>();
    private final Map<String, JsonObject> written = new TreeMap<>();
    private Optional<ZooKeeper> in = Optional.empty();
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    OldRegistrations(Definite definite) {
        this.definite = definite;
    }

    synchronized void put(Registration.Pool pool) {
        pools.put(pool.id(), pool);
        write();
    }

    synchronized void remove(Registration.Pool pool) {
        pools.remove(pool.id());
        write();
    }

    synchronized void connected(ZooKeeper zk) {
        if (in.filter(same -> same == zk).isEmpty()) {
            in = Optional.of(zk);
            written.clear();
            write();
        }
    }

    synchronized void lost() {
        in = Optional.empty();
        written.clear();
    }

    private void write() {
        in.ifPresent(zk -> {
            Set<String> gone = new HashSet<>(written.keySet());
            gone.removeAll(pools.keySet());
            for (String id : gone) {
                written.remove(id);
                then(
                        id,
                        () -> Writes.unless(
                                definite.delete(zk, Paths.oldLauncher(id)), List.of(Code.NONODE), Async::nothing));
            }
            List<String> labels = labels();
            for (Registration.Pool pool : pools.values()) {
                JsonObject document = document(pool, labels);
                if (!document.equals(written.put(pool.id(), document))) {
                    then(pool.id(), () -> store(zk, Paths.oldLauncher(pool.id()), JsonText.write(document)));
                }
            }
        });
    }

    private void then(String id, java.util.function.Supplier<CompletableFuture<Void>> call) {
        last = last.thenCompose(before -> call.get()).exceptionally(failure -> {
            log.debug("The old registration of {} is written later", id, failure);
            return null;
        });
    }

    private CompletableFuture<Void> store(ZooKeeper zk, String path, byte[] data) {
        CompletableFuture<Void> made = definite.ensure(zk, List.of(Paths.ROOT, Paths.OLD_LAUNCHERS))
                .thenCompose(done -> definite.create(zk, path, data, CreateMode.EPHEMERAL))
                .thenApply(Async::ignore);
        return Writes.orElse(
                        made.thenApply(done -> path),
                        List.of(Code.NODEEXISTS),
                        () -> definite.set(zk, path, data).thenApply(stat -> path))
                .thenApply(Async::ignore);
    }

    private List<String> labels() {
        Set<String> labels = new TreeSet<>();
        pools.values().forEach(pool -> labels.addAll(pool.supportedLabels()));
        return new ArrayList<>(labels);
    }

    private static JsonObject document(Registration.Pool pool, List<String> labels) {
        Map<String, JsonValue> document = new LinkedHashMap<>();
        document.put("id", JsonValue.of(pool.id()));
        document.put("provider_name", JsonValue.of(pool.provider()));
        document.put("supported_labels", JsonArray.ofTexts(labels));
        return new JsonObject(document);
    }
}
