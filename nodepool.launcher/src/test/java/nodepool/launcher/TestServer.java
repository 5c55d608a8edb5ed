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
    private EmbeddedZooKeeper server;
    private int port;

    TestServer() {
        try {
            folder = Files.createTempDirectory("nodepool-zookeeper");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server = start(folder, 0);
    }

    private static EmbeddedZooKeeper start(Path folder, int port) {
        try {
            return EmbeddedZooKeeper.start(folder, port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting ZooKeeper", e);
        }
    }

    /** Stops the server. Its clients keep trying; what it has stored stays. */
    void stop() {
        port = server.port();
        server.close();
    }

    /** Starts a stopped server again, where its clients look for it. */
    void startAgain() {
        server = start(folder, port);
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
