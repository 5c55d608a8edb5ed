package nodepool.driver.statemachine;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.testkit.ManualClock;
import nodepool.testkit.ManualExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CachedListingTest {

    private final ManualClock clock = new ManualClock();
    private final ManualExecutor executor = new ManualExecutor(clock);
    private final AtomicInteger asked = new AtomicInteger();
    private boolean broken;
    private final CachedListing<Integer> listing =
            new CachedListing<>("test", Duration.ofSeconds(1), Duration.ofSeconds(60), this::ask, executor, clock);

    @AfterEach
    void end() {
        executor.shutdownNow();
    }

    @Test
    void the_first_call_asks_and_the_second_does_not() throws Exception {
        assertEquals(1, listing.get());
        assertEquals(1, listing.get());
        assertEquals(1, asked.get());
    }

    @Test
    void after_its_time_the_old_value_comes_at_once_and_a_newer_one_later() throws Exception {
        listing.get();
        clock.advance(Duration.ofSeconds(2));
        assertEquals(1, listing.get());
        assertEquals(1, listing.get());
        executor.settle();
        assertEquals(2, listing.get());
        assertEquals(2, asked.get());
    }

    @Test
    void a_failed_refresh_leaves_the_old_value_until_that_is_too_old() throws Exception {
        listing.get();
        broken = true;
        clock.advance(Duration.ofSeconds(2));
        listing.get();
        executor.settle();
        assertEquals(1, listing.get());
        clock.advance(Duration.ofSeconds(60));
        assertThrows(CloudException.class, listing::get);
        broken = false;
        assertEquals(2, listing.get());
    }

    @Test
    void who_wants_a_fresh_answer_waits_for_it() throws Exception {
        listing.get();
        assertEquals(1, listing.recent());
        clock.advance(Duration.ofSeconds(2));
        assertEquals(2, listing.recent());
    }

    @Test
    void who_must_see_everything_asks_anew() throws Exception {
        listing.get();
        assertEquals(2, listing.fetch());
        assertEquals(2, listing.get());
    }

    @Test
    void those_who_ask_while_a_call_is_under_way_share_the_next_one() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        CachedListing<Integer> slow = new CachedListing<>(
                "slow",
                Duration.ofSeconds(1),
                Duration.ofSeconds(60),
                () -> {
                    int number = calls.incrementAndGet();
                    first.countDown();
                    try {
                        answer.await();
                    } catch (InterruptedException e) {
                        throw new CloudException(Fault.TRANSIENT, "interrupted", e);
                    }
                    return number;
                },
                executor,
                clock);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<Integer> pilot = threads.submit(slow::fetch);
            first.await();
            List<Future<Integer>> others = new ArrayList<>();
            CountDownLatch began = new CountDownLatch(10);
            for (int i = 0; i < 10; i++) {
                others.add(threads.submit(() -> {
                    began.countDown();
                    return slow.fetch();
                }));
            }
            began.await();
            answer.countDown();
            assertEquals(1, pilot.get());
            for (Future<Integer> other : others) {
                int seen = other.get();
                assertEquals(true, seen > 1, "began before it was asked: " + seen);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void a_call_that_nobody_waits_for_any_more_holds_nobody() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        CachedListing<Integer> slow = new CachedListing<>(
                "slow",
                Duration.ofSeconds(1),
                Duration.ofSeconds(60),
                () -> {
                    int number = calls.incrementAndGet();
                    began.countDown();
                    while (number == 1 && never.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                    return number;
                },
                executor,
                clock);
        Thread stuck = new Thread(() -> assertDoesNotThrow(slow::get));
        stuck.start();
        began.await();
        Thread.currentThread().interrupt();
        assertThrows(CloudException.class, slow::get);
        assertEquals(true, Thread.interrupted());
        assertEquals(2, slow.get());
        never.countDown();
        stuck.join();
    }

    private Integer ask() throws CloudException {
        if (broken) {
            throw new CloudException(Fault.TRANSIENT, "broken");
        }
        return asked.incrementAndGet();
    }
}
