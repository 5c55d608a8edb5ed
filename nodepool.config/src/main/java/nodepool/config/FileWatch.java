package nodepool.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices changes of files, on a thread of its own. Editors write in several goes and replace files, so it watches the
 * folders, waits until nothing changes any more, and gives a file that has vanished a moment to come back.
 */
final class FileWatch implements AutoCloseable {

    /** A file may be gone for so long while it is being replaced; as long as the original is patient. */
    static final Duration PATIENCE = Duration.ofMillis(1_500);

    /** When nothing has changed for so long, whoever writes has finished. */
    static final Duration QUIET = Duration.ofMillis(100);

    private static final Logger log = LoggerFactory.getLogger("nodepool.Config");

    private final WatchService service;
    private final List<Path> files;
    private final LongSupplier nanoTime;
    private final Runnable changed;

    private FileWatch(WatchService service, List<Path> files, LongSupplier nanoTime, Runnable changed) {
        this.service = service;
        this.files = files;
        this.nanoTime = nanoTime;
        this.changed = changed;
    }

    /**
     * Begins.
     *
     * @param changed called on the watching thread, never by two at once; may block
     */
    static FileWatch start(List<Path> files, LongSupplier nanoTime, Runnable changed) throws IOException {
        WatchService service = FileSystems.getDefault().newWatchService();
        try {
            for (Path folder : folders(files)) {
                folder.register(
                        service,
                        StandardWatchEventKinds.ENTRY_CREATE,
                        StandardWatchEventKinds.ENTRY_MODIFY,
                        StandardWatchEventKinds.ENTRY_DELETE);
            }
        } catch (IOException e) {
            service.close();
            throw e;
        }
        FileWatch watch = new FileWatch(service, List.copyOf(files), nanoTime, changed);
        Thread thread = new Thread(watch::follow, "configuration");
        thread.setDaemon(true);
        thread.start();
        return watch;
    }

    /** Of the files, and of what they are links to. */
    private static Set<Path> folders(List<Path> files) throws IOException {
        Set<Path> folders = new HashSet<>();
        for (Path file : files) {
            folders.add(parent(file));
            if (Files.exists(file)) {
                folders.add(parent(file.toRealPath()));
            }
        }
        return folders;
    }

    private static Path parent(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null ? file : folder;
    }

    private void follow() {
        try {
            while (true) {
                take(service.take());
                settle();
                tell();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (ClosedWatchServiceException stopped) {
            log.debug("No longer watching the configuration");
        }
    }

    private void settle() throws InterruptedException {
        long end = nanoTime.getAsLong() + PATIENCE.toNanos();
        boolean going = true;
        while (going) {
            long left = end - nanoTime.getAsLong();
            boolean complete = files.stream().allMatch(Files::exists);
            long wait = complete ? Math.min(left, QUIET.toNanos()) : left;
            WatchKey more = wait > 0 ? service.poll(wait, TimeUnit.NANOSECONDS) : null;
            if (more != null) {
                take(more);
            }
            going = more != null;
        }
    }

    private static void take(WatchKey key) {
        key.pollEvents();
        if (!key.reset()) {
            log.warn("{} is gone; its changes are not noticed any more", key.watchable());
        }
    }

    private void tell() {
        try {
            changed.run();
        } catch (RuntimeException bug) {
            log.error("Could not follow a change of the configuration", bug);
        }
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
