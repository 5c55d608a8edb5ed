package nodepool.driver.statemachine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploads a file in segments, several at a time, without holding the file in memory. Each segment is tried three times. If
 * the upload fails it is aborted and the failure thrown.
 */
public final class ChunkedUpload {

    /** Where the segments go. Thread-safe. */
    public interface Target {

        /** Takes one segment, counted from 0; the same one may come again. */
        void segment(int number, ByteBuffer bytes) throws CloudException;

        /** Puts the segments together. */
        void finish(int segments) throws CloudException;

        /** Removes what has arrived. */
        void abort() throws CloudException;
    }

    /** How a segment's thread lets time pass before it tries again. */
    @FunctionalInterface
    interface Pause {
        void of(Duration time) throws InterruptedException;
    }

    private static final int WORKERS = 10;
    private static final int TRIES = 3;
    private static final Duration BEFORE_LAST_TRY = Duration.ofSeconds(2);
    private static final Logger log = LoggerFactory.getLogger("nodepool.ChunkedUpload");

    private final Target target;
    private final int segmentBytes;
    private final long limitNanos;
    private final LongSupplier nanoTime;
    private final Pause pause;

    ChunkedUpload(Target target, int segmentBytes, Duration within, LongSupplier nanoTime, Pause pause) {
        this.target = target;
        this.segmentBytes = segmentBytes;
        this.limitNanos = within.toNanos();
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    /**
     * @param segmentBytes size of every segment but the last
     * @param within for the whole upload
     */
    public ChunkedUpload(Target target, int segmentBytes, Duration within) {
        this(target, segmentBytes, within, System::nanoTime, time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()));
    }

    /** Blocks until the file is there, or the upload was aborted. An interrupt aborts it. */
    public void upload(Path file) throws CloudException {
        ExecutorService workers = Executors.newFixedThreadPool(WORKERS, task -> {
            Thread made = new Thread(task, "upload-" + file.getFileName());
            made.setDaemon(true);
            return made;
        });
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            int segments = Math.toIntExact((channel.size() + segmentBytes - 1) / segmentBytes);
            sendAll(channel, segments, workers);
            target.finish(segments);
        } catch (IOException e) {
            throw aborted(file, new CloudException(Fault.BAD_REQUEST, "cannot read " + file + ": " + e, e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw aborted(file, new CloudException(Fault.TRANSIENT, "the upload of " + file + " was interrupted", e));
        } catch (CloudException e) {
            throw aborted(file, e);
        } finally {
            workers.shutdownNow();
        }
    }

    private void sendAll(FileChannel channel, int segments, ExecutorService workers)
            throws CloudException, InterruptedException {
        long deadline = nanoTime.getAsLong() + limitNanos;
        CompletionService<Integer> done = new ExecutorCompletionService<>(workers);
        for (int i = 0; i < segments; i++) {
            int number = i;
            done.submit(() -> send(channel, number));
        }
        for (int i = 0; i < segments; i++) {
            Future<Integer> sent = done.poll(Math.max(0, deadline - nanoTime.getAsLong()), TimeUnit.NANOSECONDS);
            if (sent == null) {
                throw new CloudException(
                        Fault.TIMEOUT, "the upload took more than %d s".formatted(limitNanos / 1_000_000_000));
            }
            try {
                sent.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof CloudException cloud
                        ? cloud
                        : new CloudException(Fault.TRANSIENT, String.valueOf(e.getCause()), e);
            }
        }
    }

    private Integer send(FileChannel channel, int number) throws CloudException, IOException, InterruptedException {
        ByteBuffer bytes = read(channel, number);
        for (int tried = 1; ; tried++) {
            try {
                target.segment(number, bytes.duplicate());
                return number;
            } catch (CloudException e) {
                if (tried == TRIES || !isWorthAnotherTry(e.fault())) {
                    throw e;
                }
                log.info("Segment {} failed, trying again: {}", number, e.getMessage());
                if (tried == TRIES - 1) {
                    pause.of(BEFORE_LAST_TRY);
                }
            }
        }
    }

    private ByteBuffer read(FileChannel channel, int number) throws IOException {
        long at = (long) number * segmentBytes;
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(segmentBytes, channel.size() - at));
        while (bytes.hasRemaining()) {
            int read = channel.read(bytes, at + bytes.position());
            if (read < 0) {
                throw new IOException("the file became shorter");
            }
        }
        return bytes.flip().asReadOnlyBuffer();
    }

    private static boolean isWorthAnotherTry(Fault fault) {
        return fault == Fault.TRANSIENT || fault == Fault.RATE_LIMIT || fault == Fault.TIMEOUT;
    }

    private CloudException aborted(Path file, CloudException why) {
        log.warn("Aborting the upload of {}: {}", file, why.getMessage());
        try {
            target.abort();
        } catch (CloudException e) {
            why.addSuppressed(e);
        }
        return why;
    }
}
