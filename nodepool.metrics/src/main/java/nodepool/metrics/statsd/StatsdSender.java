package nodepool.metrics.statsd;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends lines to statsd in datagrams of less than 512 bytes, on a thread of its own, which alone resolves the host. Whoever
 * has something to send never waits: what cannot be sent is dropped and counted. Thread-safe.
 */
public final class StatsdSender implements AutoCloseable {

    /** Bytes of one datagram. */
    static final int LARGEST = 511;

    private static final int WAITING = 4096;
    private static final Duration RESOLVE_AGAIN = Duration.ofMinutes(5);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);
    /** Nobody else offers an empty list. */
    private static final List<String> END = List.of();

    private static final Logger log = LoggerFactory.getLogger("nodepool.stats");

    private final StatsdAddress address;
    private final LongSupplier ticks;
    private final BlockingQueue<List<String>> waiting = new ArrayBlockingQueue<>(WAITING);
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread = new Thread(this::run, "statsd");
    private final ByteBuffer datagram = ByteBuffer.allocate(LARGEST);
    private int values;
    private Optional<InetSocketAddress> target = Optional.empty();
    private long resolveAt;
    private boolean complained;

    /** @param ticks nanoseconds from any start */
    public StatsdSender(StatsdAddress address, LongSupplier ticks) {
        this.address = address;
        this.ticks = ticks;
        this.resolveAt = ticks.getAsLong();
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** What stands before every name. */
    public String prefix() {
        return address.prefix();
    }

    /** Sends these lines, in this order and as far as they fit in one datagram. Returns at once. */
    public void send(List<String> lines) {
        if (!lines.isEmpty() && !waiting.offer(lines)) {
            dropped.addAndGet(lines.size());
        }
    }

    /** Values that were not sent. */
    public long dropped() {
        return dropped.get();
    }

    private void run() {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.configureBlocking(false);
            for (List<String> lines = waiting.take(); !lines.isEmpty(); lines = waiting.take()) {
                lines.forEach(line -> add(channel, line));
                if (waiting.isEmpty()) {
                    flush(channel);
                }
            }
            flush(channel);
        } catch (IOException e) {
            log.warn("No statsd: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void add(DatagramChannel channel, String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        int separator = values == 0 ? 0 : 1;
        if (bytes.length + separator > datagram.remaining()) {
            flush(channel);
            separator = 0;
        }
        if (bytes.length > datagram.remaining()) {
            dropped.incrementAndGet();
            return;
        }
        if (separator == 1) {
            datagram.put((byte) '\n');
        }
        datagram.put(bytes);
        values++;
    }

    private void flush(DatagramChannel channel) {
        if (values == 0) {
            return;
        }
        datagram.flip();
        if (!sent(channel)) {
            dropped.addAndGet(values);
        }
        datagram.clear();
        values = 0;
    }

    private boolean sent(DatagramChannel channel) {
        if (ticks.getAsLong() - resolveAt >= 0) {
            resolve();
        }
        if (target.isEmpty()) {
            return false;
        }
        try {
            return channel.send(datagram, target.get()) > 0;
        } catch (IOException e) {
            resolveAt = Math.min(resolveAt, ticks.getAsLong() + AFTER_FAILURE.toNanos());
            return false;
        }
    }

    /** IPv4 first: that is what the original speaks. */
    private void resolve() {
        try {
            InetAddress[] found = InetAddress.getAllByName(address.host());
            InetAddress chosen = found[0];
            for (InetAddress candidate : found) {
                if (candidate instanceof Inet4Address) {
                    chosen = candidate;
                    break;
                }
            }
            target = Optional.of(new InetSocketAddress(chosen, address.port()));
            resolveAt = ticks.getAsLong() + RESOLVE_AGAIN.toNanos();
            complained = false;
        } catch (UnknownHostException e) {
            if (!complained) {
                log.warn("STATSD_HOST {} does not resolve; it is tried again", address.host());
                complained = true;
            }
            resolveAt = ticks.getAsLong() + AFTER_FAILURE.toNanos();
        }
    }

    /** Sends what waits, as far as that takes no longer than a second. */
    @Override
    public void close() {
        if (!waiting.offer(END)) {
            thread.interrupt();
        }
        try {
            thread.join(LAST_WORDS.toMillis());
            thread.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
