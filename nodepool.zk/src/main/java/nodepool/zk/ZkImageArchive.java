package nodepool.zk;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import nodepool.api.store.ImageArchive;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooKeeper;

/** Reads and writes the text of image records, whatever it is. */
final class ZkImageArchive implements ImageArchive {

    private static final String PLACEHOLDER = "/import-";

    private final Definite definite;

    ZkImageArchive(Definite definite) {
        this.definite = definite;
    }

    @Override
    public CompletionStage<Map<String, String>> read() {
        return Async.call(() -> {
            Map<String, String> found = new ConcurrentSkipListMap<>();
            return walk(definite.handle(), Paths.IMAGES, found).thenApply(done -> found);
        });
    }

    private CompletableFuture<Void> walk(ZooKeeper zk, String directory, Map<String, String> found) {
        return definite.children(zk, directory).thenCompose(names -> {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (String name : names) {
                String path = directory + "/" + name;
                if (isRecord(path)) {
                    all.add(definite.get(zk, path)
                            .thenAccept(entry -> entry.ifPresent(
                                    is -> found.put(path, new String(is.data(), StandardCharsets.UTF_8)))));
                }
                if (!name.equals("lock")) {
                    all.add(walk(zk, path, found));
                }
            }
            return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
        });
    }

    private static boolean isRecord(String path) {
        Place place = Place.of(path);
        return switch (place.kind()) {
            case BUILD, UPLOAD -> true;
            case FLAG -> place.name().equals("pause");
            default -> false;
        };
    }

    @Override
    public CompletionStage<Void> write(Map<String, String> records) {
        return Async.call(() -> {
            Map<String, Integer> highest = new HashMap<>();
            for (String path : records.keySet()) {
                if (!path.startsWith(Paths.IMAGES + "/") || !isRecord(path)) {
                    throw new IllegalArgumentException(path + " is no build, upload or pause mark of an image");
                }
                if (Place.of(path).kind() == Place.Kind.UPLOAD) {
                    highest.merge(Paths.parent(path), number(Paths.last(path)), Math::max);
                }
            }
            ZooKeeper zk = definite.handle();
            CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
            for (Map.Entry<String, String> record : new TreeMap<>(records).entrySet()) {
                done = done.thenCompose(before -> put(zk, record.getKey(), record.getValue()));
            }
            for (Map.Entry<String, Integer> uploads : highest.entrySet()) {
                done = done.thenCompose(before -> raise(zk, uploads.getKey(), uploads.getValue()));
            }
            return done;
        });
    }

    private static int number(String uploadId) {
        try {
            return Integer.parseInt(uploadId);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(uploadId + " is no id of an upload", e);
        }
    }

    /** Makes the directories above the record, then the record. */
    private CompletableFuture<Void> put(ZooKeeper zk, String path, String text) {
        List<String> above = new ArrayList<>();
        for (String up = Paths.parent(path); !up.equals(Paths.IMAGES); up = Paths.parent(up)) {
            above.add(0, up);
        }
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        return definite.ensure(zk, above)
                .thenCompose(done -> definite.get(zk, path))
                .thenCompose(found -> found.isPresent()
                        ? definite.set(zk, path, data).thenApply(Async::ignore)
                        : definite.create(zk, path, data).thenApply(Async::ignore));
    }

    /** Uses up numbers until the next one is higher than {@code last}; under a name that no upload has. */
    private CompletableFuture<Void> raise(ZooKeeper zk, String directory, int last) {
        return definite.createNumbered(zk, directory + PLACEHOLDER, new byte[0], CreateMode.PERSISTENT_SEQUENTIAL)
                .thenCompose(path -> definite.delete(zk, path)
                        .thenCompose(done -> number(path.substring(path.length() - 10)) < last
                                ? raise(zk, directory, last)
                                : CompletableFuture.completedFuture(Async.nothing())));
    }
}
