package nodepool.driver.statemachine.taskmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.statemachine.CloudCall;
import nodepool.testkit.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskManagerTest {

    private final ManualClock clock = new ManualClock();
    private final TaskManager manager =
            new TaskManager("test", 2, clock.nanoTime(), nanos -> clock.advance(Duration.ofNanos(nanos)));

    @AfterEach
    void end() throws Exception {
        manager.start();
        manager.stop();
        manager.join();
    }

    @Test
    void tasks_run_in_order_in_one_thread() throws Exception {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        Set<Thread> threads = Collections.synchronizedSet(new HashSet<>());
        List<Task<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int number = i;
            tasks.add(manager.submitTask(task(() -> {
                order.add(number);
                threads.add(Thread.currentThread());
                return number;
            })));
        }
        manager.start();
        assertEquals(9, tasks.get(9).await());
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), order);
        assertEquals(1, threads.size());
    }

    @Test
    void result_and_exception_reach_whoever_waits() throws Exception {
        manager.start();
        assertEquals(7, manager.submitTask(task(() -> 7)).await());
        CloudException thrown = new CloudException(Fault.QUOTA, "full");
        Task<Integer> failing = manager.submitTask(task(() -> {
            throw thrown;
        }));
        assertSame(thrown, assertThrows(CloudException.class, failing::await));
    }

    @Test
    void rate_limited_calls_keep_their_distance_from_end_to_start() throws Exception {
        manager.start();
        List<Long> starts = Collections.synchronizedList(new ArrayList<>());
        Task<Integer> task = task(() -> {
            for (int i = 0; i < 3; i++) {
                manager.rateLimit(() -> {
                    starts.add(Duration.between(new ManualClock().instant(), clock.instant())
                            .toMillis());
                    clock.advance(Duration.ofMillis(100));
                    return 0;
                });
            }
            return 0;
        });
        manager.submitTask(task).await();
        assertEquals(List.of(0L, 600L, 1200L), starts);
    }

    @Test
    void stopping_runs_what_was_queued_and_fails_the_rest() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Task<Integer> first = manager.submitTask(task(() -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new CloudException(Fault.TRANSIENT, "interrupted", e);
            }
            return 1;
        }));
        Task<Integer> queued = manager.submitTask(task(() -> 2));
        manager.start();
        manager.stop();
        Task<Integer> late = manager.submitTask(task(() -> 3));
        go.countDown();
        assertEquals(1, first.await());
        assertEquals(2, queued.await());
        assertEquals(
                Fault.RATE_LIMIT,
                assertThrows(CloudException.class, late::await).fault());
    }

    @Test
    void a_task_that_is_given_up_does_not_hold_the_others() throws Exception {
        manager.start();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Task<Integer> stuck = manager.submitTask(task(() -> {
            running.countDown();
            while (never.getCount() > 0) {
                Thread.onSpinWait();
            }
            return 0;
        }));
        Thread waiting = new Thread(() -> assertThrows(CloudException.class, stuck::await));
        waiting.start();
        running.await();
        waiting.interrupt();
        waiting.join();
        assertEquals(2, manager.submitTask(task(() -> 2)).await());
        never.countDown();
    }

    @Test
    void a_rate_of_zero_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> new TaskManager("none", 0));
    }

    private static Task<Integer> task(CloudCall<Integer> work) {
        return new Task<>() {
            @Override
            protected Integer main(TaskManager thread) throws CloudException {
                return work.call();
            }
        };
    }
}
