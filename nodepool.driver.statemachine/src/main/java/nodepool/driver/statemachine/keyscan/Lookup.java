package nodepool.driver.statemachine.keyscan;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Looks names up, on a few threads of its own because that blocks. Thread-safe. */
final class Lookup implements AutoCloseable {

    private static final int THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    /** An address, which needs no looking up: IPv4, or anything with a colon, which no name has. */
    private static final Pattern LITERAL = Pattern.compile("\\d+(\\.\\d+){3}|.*:.*");

    private final ExecutorService threads;

    Lookup() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread made = new Thread(task, "key-scan-lookup");
                    made.setDaemon(true);
                    return made;
                });
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
    }

    /** All addresses of a name, or the literal itself without waiting; fails with {@link UnknownHostException} as cause. */
    CompletionStage<List<InetAddress>> of(String name) {
        return CompletableFuture.supplyAsync(
                () -> addresses(name), LITERAL.matcher(name).matches() ? Runnable::run : threads);
    }

    private static List<InetAddress> addresses(String name) {
        try {
            return List.of(InetAddress.getAllByName(name));
        } catch (UnknownHostException unknown) {
            throw new CompletionException(unknown);
        }
    }

    /** Look-ups under way may never end. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
