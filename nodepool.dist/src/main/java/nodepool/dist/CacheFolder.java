package nodepool.dist;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A folder for the framework's own files, used by one process at a time. The lock dies with the process, so the next
 * one takes the folder over, and any number of processes from one installation use as many folders.
 */
final class CacheFolder implements AutoCloseable {

    private final Path path;
    private final FileLock lock;

    private CacheFolder(Path path, FileLock lock) {
        this.path = path;
        this.lock = lock;
    }

    static CacheFolder claim(String assembly) throws IOException {
        String var = System.getProperty("nodepool.var");
        Path parent = var == null ? Files.createTempDirectory("nodepool-") : Path.of(var, "cache");
        Files.createDirectories(parent);
        for (int n = 1; ; n++) {
            String name = assembly + "-" + n;
            FileChannel channel = FileChannel.open(
                    parent.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new CacheFolder(parent.resolve(name), lock);
            }
            channel.close();
        }
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        lock.acquiredBy().close();
    }
}
