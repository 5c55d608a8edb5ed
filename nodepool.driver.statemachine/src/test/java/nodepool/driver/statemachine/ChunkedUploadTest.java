package nodepool.driver.statemachine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChunkedUploadTest {

    private static final int SEGMENT = 1000;

    private final List<Duration> pauses = Collections.synchronizedList(new ArrayList<>());

    /** A cloud that fails its first calls. */
    private static final class Store implements ChunkedUpload.Target {
        private final Map<Integer, byte[]> segments = new ConcurrentSkipListMap<>();
        private final AtomicInteger failures;
        private final Fault fault;
        private final List<String> ended = Collections.synchronizedList(new ArrayList<>());

        Store(int failures, Fault fault) {
            this.failures = new AtomicInteger(failures);
            this.fault = fault;
        }

        @Override
        public void segment(int number, ByteBuffer bytes) throws CloudException {
            if (failures.getAndDecrement() > 0) {
                throw new CloudException(fault, "not now");
            }
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            segments.put(number, copy);
        }

        @Override
        public void finish(int count) {
            ended.add("finished with " + count);
        }

        @Override
        public void abort() {
            ended.add("aborted");
        }

        byte[] together() {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            segments.values().forEach(all::writeBytes);
            return all.toByteArray();
        }
    }

    @Test
    void every_byte_arrives_in_its_place(@TempDir Path folder) throws Exception {
        byte[] content = content();
        Store store = new Store(0, Fault.TRANSIENT);
        upload(store).upload(Files.write(folder.resolve("image"), content));
        assertArrayEquals(content, store.together());
        assertEquals(List.of("finished with 26"), store.ended);
    }

    @Test
    void a_segment_is_tried_three_times(@TempDir Path folder) throws Exception {
        Store store = new Store(2, Fault.TRANSIENT);
        upload(store).upload(Files.write(folder.resolve("image"), new byte[] {1, 2, 3}));
        assertArrayEquals(new byte[] {1, 2, 3}, store.together());
        assertEquals(List.of(Duration.ofSeconds(2)), pauses);
    }

    @Test
    void a_failure_aborts_the_upload_and_is_thrown(@TempDir Path folder) throws Exception {
        Store store = new Store(1000, Fault.TRANSIENT);
        Path file = Files.write(folder.resolve("image"), content());
        CloudException failure =
                assertThrows(CloudException.class, () -> upload(store).upload(file));
        assertEquals(Fault.TRANSIENT, failure.fault());
        assertEquals(List.of("aborted"), store.ended);
    }

    @Test
    void what_is_not_worth_another_try_fails_at_once(@TempDir Path folder) throws Exception {
        Store store = new Store(1, Fault.UNAUTHORIZED);
        Path file = Files.write(folder.resolve("image"), new byte[] {1});
        assertThrows(CloudException.class, () -> upload(store).upload(file));
        assertTrue(store.segments.isEmpty());
    }

    @Test
    void a_missing_file_is_a_bad_request(@TempDir Path folder) {
        Store store = new Store(0, Fault.TRANSIENT);
        CloudException failure =
                assertThrows(CloudException.class, () -> upload(store).upload(folder.resolve("none")));
        assertEquals(Fault.BAD_REQUEST, failure.fault());
    }

    @Test
    void an_upload_that_takes_too_long_is_aborted(@TempDir Path folder) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Store store = new Store(0, Fault.TRANSIENT);
        ChunkedUpload.Target slow = new ChunkedUpload.Target() {
            @Override
            public void segment(int number, ByteBuffer bytes) throws CloudException {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    throw new CloudException(Fault.TRANSIENT, "interrupted", e);
                }
            }

            @Override
            public void finish(int segments) {
                store.finish(segments);
            }

            @Override
            public void abort() {
                store.abort();
            }
        };
        Path file = Files.write(folder.resolve("image"), new byte[] {1});
        CloudException failure = assertThrows(
                CloudException.class, () -> new ChunkedUpload(slow, SEGMENT, Duration.ofMillis(100)).upload(file));
        assertEquals(Fault.TIMEOUT, failure.fault());
        assertEquals(List.of("aborted"), store.ended);
    }

    private ChunkedUpload upload(ChunkedUpload.Target target) {
        return new ChunkedUpload(target, SEGMENT, Duration.ofMinutes(1), System::nanoTime, pauses::add);
    }

    private static byte[] content() {
        byte[] content = new byte[25 * SEGMENT + 7];
        new Random(7).nextBytes(content);
        return content;
    }
}
