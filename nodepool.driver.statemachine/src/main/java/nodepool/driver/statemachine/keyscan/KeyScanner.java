package nodepool.driver.statemachine.keyscan;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.HostKeyScanner;

/**
 * Scans many machines at once, on one thread and one selector. A scan whose result is cancelled lets its connection go.
 * Addresses that contain {@code fake} belong to the fake driver and are answered without a connection. Thread-safe.
 */
public final class KeyScanner implements HostKeyScanner, AutoCloseable {

    /** Each scan has one socket, and sockets are scarce: more scans than this wait for their turn, in order. */
    static final int AT_ONCE = 500;

    /** A connection that takes longer is given up and made anew. */
    static final Duration ATTEMPT = Duration.ofSeconds(10);

    private final SelectorLoop loop;
    private final Lookup lookup = new Lookup();
    private final SecureRandom random;
    private final int atOnce;
    private final Duration attemptLimit;

    /* Both are touched on the loop's thread only. */
    private final Set<Scan> running = new LinkedHashSet<>();
    private final Queue<Scan> waiting = new ArrayDeque<>();

    /** @param nanoTime as {@link System#nanoTime} */
    public KeyScanner(SecureRandom random, LongSupplier nanoTime) throws IOException {
        this(AT_ONCE, ATTEMPT, random, nanoTime);
    }

    KeyScanner(int atOnce, Duration attemptLimit, SecureRandom random, LongSupplier nanoTime) throws IOException {
        this.atOnce = atOnce;
        this.attemptLimit = attemptLimit;
        this.random = random;
        this.loop = new SelectorLoop("key-scan", nanoTime, this::failAll);
        loop.start();
    }

    @Override
    public CompletionStage<List<String>> scan(Target target) {
        if (target.address().contains("fake")) {
            return CompletableFuture.completedStage(target.gatherKeys() ? List.of("ssh-rsa FAKEKEY") : List.of());
        }
        CompletableFuture<List<String>> result = new CompletableFuture<>();
        try {
            loop.execute(() -> begin(target, result));
        } catch (RejectedExecutionException tooLate) {
            result.completeExceptionally(closed());
        }
        return result;
    }

    private void begin(Target target, CompletableFuture<List<String>> result) {
        Scan scan = new Scan(target, attemptLimit, loop, lookup, random, result);
        waiting.add(scan);
        startNext();
        result.whenCompleteAsync((keys, failure) -> ended(scan), loop);
    }

    private void startNext() {
        while (running.size() < atOnce && !waiting.isEmpty()) {
            Scan next = waiting.remove();
            running.add(next);
            next.start();
        }
    }

    private void ended(Scan scan) {
        scan.close();
        if (running.remove(scan)) {
            startNext();
        } else {
            waiting.remove(scan);
        }
    }

    /** What is being scanned, and all that comes later, fails. */
    @Override
    public void close() {
        loop.close();
        lookup.close();
    }

    private void failAll() {
        waiting.forEach(scan -> scan.fail(closed()));
        waiting.clear();
        running.forEach(scan -> {
            scan.fail(closed());
            scan.close();
        });
        running.clear();
    }

    private static CloudException closed() {
        return new CloudException(Fault.KEY_SCAN, "the key scanner was closed");
    }
}
