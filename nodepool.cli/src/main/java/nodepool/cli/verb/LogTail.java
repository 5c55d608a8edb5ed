package nodepool.cli.verb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.function.Consumer;

/**
 * Tells the lines of a file as they are written to it, woken by its changes. What is not on this machine stays untold. Closing
 * it tells the rest.
 */
final class LogTail implements AutoCloseable {

    private static final int BLOCK = 1 << 16;

    private final Path file;
    private final Consumer<String> told;
    private final Thread thread;
    private long at;

    /** @param told called on a thread of its own, and at last on that which closes this */
    LogTail(Path file, Consumer<String> told) {
        this.file = file;
        this.told = told;
        this.thread = new Thread(this::follow, "tail of " + file.getFileName());
        thread.setDaemon(true);
        thread.start();
    }

    /** Whether anything was told. */
    synchronized boolean hasTold() {
        return at > 0;
    }

    private void follow() {
        try (WatchService watch = file.getFileSystem().newWatchService()) {
            file.resolveSibling("")
                    .register(watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
            while (true) {
                tell(false);
                WatchKey changed = watch.take();
                changed.pollEvents();
                changed.reset();
            }
        } catch (InterruptedException | IOException closedOrNotHere) {
            // Closing this tells the rest, if there is a file to read.
            return;
        }
    }

    /** @param all also a last line that has no end yet */
    private synchronized void tell(boolean all) throws IOException {
        if (!Files.isReadable(file)) {
            return;
        }
        try (SeekableByteChannel in = Files.newByteChannel(file)) {
            ByteBuffer block = ByteBuffer.allocate(BLOCK);
            int whole;
            do {
                block.clear();
                in.position(at);
                int read = Math.max(0, in.read(block));
                String text = new String(block.array(), 0, read, StandardCharsets.ISO_8859_1);
                whole = all || (read == BLOCK && text.indexOf('\n') < 0) ? read : text.lastIndexOf('\n') + 1;
                new String(block.array(), 0, whole, StandardCharsets.UTF_8)
                        .lines()
                        .forEach(told);
                at += whole;
            } while (whole > 0);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
            tell(true);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (IOException unreadable) {
            told.accept(file + " cannot be read: " + unreadable);
        }
    }
}
