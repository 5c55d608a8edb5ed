package nodepool.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import nodepool.zk.embedded.EmbeddedZooKeeper;

/** A fresh ZooKeeper server with a folder of its own. */
final class TestServer implements AutoCloseable {

    private final Path folder;
    private final EmbeddedZooKeeper server;

    TestServer() {
        try {
            folder = Files.createTempDirectory("nodepool-zookeeper");
            server = EmbeddedZooKeeper.start(folder, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting ZooKeeper", e);
        }
    }

    String address() {
        return server.connectString();
    }

    /** Ends a client's session, as if it had not been heard of for too long. */
    void expire(long session) {
        server.expire(session);
    }

    @Override
    public void close() {
        server.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
