package nodepool.driver.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.testkit.ManualClock;
import org.junit.jupiter.api.Test;

class RateLimiterTest {

    private final ManualClock clock = new ManualClock();
    private final List<Long> starts = new ArrayList<>();

    @Test
    void the_first_call_starts_at_once_and_the_others_at_their_distance() throws Exception {
        RateLimiter limiter = limiter(Duration.ofMillis(500));
        for (int i = 0; i < 4; i++) {
            limiter.call("list", this::noteStart);
        }
        assertEquals(List.of(0L, 500L, 1000L, 1500L), starts);
    }

    @Test
    void the_distance_counts_from_start_to_start_however_long_a_call_takes() throws Exception {
        RateLimiter limiter = limiter(Duration.ofMillis(500));
        limiter.call("slow", () -> {
            noteStart();
            clock.advance(Duration.ofMillis(400));
            return 0;
        });
        limiter.call("next", this::noteStart);
        assertEquals(List.of(0L, 500L), starts);
    }

    @Test
    void time_without_calls_is_not_saved_up() throws Exception {
        RateLimiter limiter = limiter(Duration.ofMillis(500));
        clock.advance(Duration.ofSeconds(10));
        limiter.call("a", this::noteStart);
        limiter.call("b", this::noteStart);
        assertEquals(List.of(10_000L, 10_500L), starts);
    }

    @Test
    void without_a_limit_nobody_waits() throws Exception {
        RateLimiter limiter = limiter(Duration.ZERO);
        limiter.call("a", this::noteStart);
        limiter.call("b", this::noteStart);
        assertEquals(List.of(0L, 0L), starts);
    }

    @Test
    void too_many_requests_double_the_distance_and_success_shrinks_it_to_the_configured_one() throws Exception {
        RateLimiter limiter = limiter(Duration.ofMillis(500));
        assertThrows(CloudException.class, () -> limiter.call("a", () -> refuse(Duration.ZERO)));
        assertEquals(Duration.ofSeconds(1), limiter.distance());
        limiter.call("b", this::noteStart);
        assertEquals(List.of(1000L), starts);
        for (int i = 0; i < 10; i++) {
            limiter.call("c", this::noteStart);
        }
        assertEquals(Duration.ofMillis(500), limiter.distance());
    }

    @Test
    void a_cloud_that_says_when_to_come_back_is_left_alone_until_then() throws Exception {
        RateLimiter limiter = limiter(Duration.ofMillis(500));
        assertThrows(CloudException.class, () -> limiter.call("a", () -> refuse(Duration.ofSeconds(7))));
        limiter.call("b", this::noteStart);
        assertEquals(List.of(7000L), starts);
    }

    @Test
    void a_limit_nobody_configured_is_learned_and_forgotten() throws Exception {
        RateLimiter limiter = limiter(Duration.ZERO);
        assertThrows(CloudException.class, () -> limiter.call("a", () -> refuse(Duration.ZERO)));
        assertEquals(Duration.ofMillis(100), limiter.distance());
        for (int i = 0; i < 10; i++) {
            limiter.call("b", this::noteStart);
        }
        assertEquals(Duration.ZERO, limiter.distance());
    }

    @Test
    void a_wait_that_would_hold_the_thread_too_long_is_refused_with_the_time() {
        RateLimiter limiter = limiter(Duration.ofMillis(500));
        assertThrows(CloudException.class, () -> limiter.call("a", () -> refuse(Duration.ofSeconds(60))));
        CloudException refused = assertThrows(CloudException.class, () -> limiter.call("b", this::noteStart));
        assertEquals(Fault.RATE_LIMIT, refused.fault());
        assertEquals(Duration.ofSeconds(60), refused.retryAfter().orElseThrow());
        assertEquals(List.of(), starts);
    }

    @Test
    void closing_ends_the_waiting_of_those_in_line() throws Exception {
        RateLimiter limiter = RateLimiter.every("test", Duration.ofSeconds(15));
        limiter.call("first", () -> 0);
        ExecutorService other = Executors.newSingleThreadExecutor();
        CountDownLatch began = new CountDownLatch(1);
        try {
            Future<CloudException> waiting = other.submit(() -> {
                began.countDown();
                return assertThrows(CloudException.class, () -> limiter.call("second", () -> 0));
            });
            began.await();
            limiter.close();
            assertTrue(String.valueOf(waiting.get().getMessage()).contains("is being stopped"));
        } finally {
            other.shutdownNow();
        }
    }

    private Integer noteStart() {
        starts.add(
                Duration.between(new ManualClock().instant(), clock.instant()).toMillis());
        return 0;
    }

    private static Integer refuse(Duration after) throws CloudException {
        throw new CloudException(Fault.RATE_LIMIT, "too many requests", after);
    }

    private RateLimiter limiter(Duration distance) {
        return new RateLimiter(
                "test",
                distance,
                clock.nanoTime(),
                nanos -> clock.advance(Duration.ofNanos(nanos)),
                new CountDownLatch(1));
    }
}
