package nodepool.driver.statemachine;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Redaction;
import nodepool.api.event.Event;
import nodepool.api.verdict.Reason;
import nodepool.testkit.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallWatchTest {

    private final ManualClock clock = new ManualClock();
    private final List<Optional<Reason>> changes = new ArrayList<>();
    private final CloudHealth health = new CloudHealth(clock.nanoTime(), changes::add);
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final CallWatch watch = new CallWatch(
            "east",
            Duration.ofSeconds(1),
            health,
            clock.nanoTime(),
            events::add,
            new Redaction(Set.of("canary-31337")));
    private final CountDownLatch never = new CountDownLatch(1);

    @AfterEach
    void end() {
        watch.close();
    }

    @Test
    void a_call_that_is_answered_gives_its_answer_or_its_fault() throws Exception {
        assertEquals("yes", watch.call("ask", () -> "yes"));
        CloudException refusal = new CloudException(Fault.QUOTA, "full");
        assertSame(
                refusal,
                assertThrows(
                        CloudException.class,
                        () -> watch.call("ask", () -> {
                            throw refusal;
                        })));
    }

    @Test
    void what_a_call_fails_with_says_no_credential() {
        for (Exception quoting : List.of(
                new CloudException(Fault.UNAUTHORIZED, "token canary-31337 is not valid"),
                new CloudException(Fault.TRANSIENT, "broken", new IllegalStateException("header: canary-31337")),
                new IllegalArgumentException("invalid header value: \"Bearer canary-31337\""))) {
            CloudException told = assertThrows(
                    CloudException.class,
                    () -> watch.call("ask", () -> {
                        if (quoting instanceof CloudException cloud) {
                            throw cloud;
                        }
                        throw (IllegalArgumentException) quoting;
                    }));
            StringWriter trace = new StringWriter();
            told.printStackTrace(new PrintWriter(trace, true));
            assertEquals(-1, trace.toString().indexOf("canary"), trace::toString);
        }
        assertEquals(-1, changes.toString().indexOf("canary"), changes::toString);
        assertFalse(changes.isEmpty());
    }

    @Test
    void every_call_is_told_with_its_length_and_its_fault() throws Exception {
        watch.call("ask", () -> {
            clock.advance(Duration.ofSeconds(2));
            return "yes";
        });
        assertThrows(
                CloudException.class,
                () -> watch.call("make", () -> {
                    throw new CloudException(Fault.QUOTA, "full");
                }));
        assertEquals(
                List.of(
                        new Event.CloudCalled("east", "ask", Optional.empty(), Duration.ofSeconds(2)),
                        new Event.CloudCalled("east", "make", Optional.of(Fault.QUOTA), Duration.ZERO)),
                events);
    }

    @Test
    void a_call_that_is_never_answered_ends_as_a_transient_fault() {
        CloudException fault = assertThrows(CloudException.class, () -> watch.call("ask", this::hang));
        assertEquals(Fault.TRANSIENT, fault.fault());
        assertTrue(String.valueOf(fault.getMessage()).contains("no answer to ask"));
    }

    @Test
    void what_no_author_foresaw_is_transient_and_keeps_its_cause() {
        IllegalStateException bug = new IllegalStateException("bug");
        CloudException fault = assertThrows(
                CloudException.class,
                () -> watch.call("ask", () -> {
                    throw bug;
                }));
        assertEquals(Fault.TRANSIENT, fault.fault());
        assertSame(bug, fault.getCause());
    }

    @Test
    void after_three_lost_calls_the_cloud_is_spared_but_for_a_probe_now_and_then() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThrows(CloudException.class, () -> watch.call("ask", this::hang));
        }
        assertEquals(
                Reason.Code.PROVIDER_DEGRADED, health.trouble().orElseThrow().code());
        CloudException spared = assertThrows(CloudException.class, () -> watch.call("ask", () -> "never made"));
        assertEquals(Fault.RATE_LIMIT, spared.fault());
        assertTrue(spared.retryAfter().isPresent());
        clock.advance(Duration.ofSeconds(5));
        assertEquals("back", watch.call("probe", () -> "back"));
        assertEquals("well", watch.call("ask", () -> "well"));
        assertEquals(2, changes.size());
        assertEquals(Optional.empty(), changes.get(1));
    }

    @Test
    void refused_credentials_show_as_trouble_but_calls_go_on() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThrows(
                    CloudException.class,
                    () -> watch.call("ask", () -> {
                        throw new CloudException(Fault.UNAUTHORIZED, "who are you");
                    }));
        }
        assertTrue(health.trouble().isPresent());
        assertEquals("yes", watch.call("ask", () -> "yes"));
        assertEquals(Optional.empty(), health.trouble());
    }

    @Test
    void a_stopped_watch_refuses_without_counting_as_an_attempt() {
        watch.close();
        CloudException stopped = assertThrows(CloudException.class, () -> watch.call("ask", () -> "no"));
        assertEquals(Fault.RATE_LIMIT, stopped.fault());
    }

    @Test
    void a_call_in_hand_may_end_before_the_watch_is_closed() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        CompletableFuture<String> result = inBackground(() -> {
            began.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new CloudException(Fault.TRANSIENT, "interrupted", e);
            }
            return "done";
        });
        began.await();
        CompletableFuture<Void> drained = CompletableFuture.runAsync(() -> assertDoesNotThrow(watch::drain));
        answer.countDown();
        drained.get();
        assertEquals("done", result.get());
    }

    @Test
    void a_call_that_the_closing_interrupts_does_not_count_as_an_attempt() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CompletableFuture<String> result = inBackground(() -> {
            began.countDown();
            return hang();
        });
        began.await();
        watch.close();
        ExecutionException ended = assertThrows(ExecutionException.class, result::get);
        assertEquals(Fault.RATE_LIMIT, ((CloudException) ended.getCause()).fault());
    }

    private CompletableFuture<String> inBackground(CloudCall<String> call) {
        CompletableFuture<String> result = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        result.complete(watch.call("ask", call));
                    } catch (CloudException e) {
                        result.completeExceptionally(e);
                    }
                })
                .start();
        return result;
    }

    private String hang() throws CloudException {
        try {
            never.await();
            return "";
        } catch (InterruptedException e) {
            throw new CloudException(Fault.TRANSIENT, "interrupted", e);
        }
    }
}
