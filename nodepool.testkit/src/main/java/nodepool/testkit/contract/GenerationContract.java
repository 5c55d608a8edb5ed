package nodepool.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;
import org.junit.jupiter.api.Test;

/**
 * What a launcher relies on in every provider, so that one version of a driver can take the place of another: also in a
 * provider that makes no machines of its own, such as static hosts and slots on other nodes. The test of a driver that makes
 * machines extends {@link ProviderContract}, which begins with these cases.
 */
public abstract class GenerationContract {

    private static final int GENERATIONS = 10;
    private static final int LENT_THREADS = 2;
    private static final int MANY_STEPS = 100;
    private static final String NODE = "0000000001";
    /** Far less than any call to a cloud may take. */
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    /** For all threads of stopped generations together. */
    private static final Duration LAST_BREATH = Duration.ofSeconds(10);

    /** Opens a place in which nothing has happened yet. */
    protected abstract ProviderUnderTest openPlace() throws Exception;

    @Test
    void a_generation_that_was_never_started_can_be_stopped() throws Exception {
        try (Lease lease = new Lease(openPlace())) {
            lease.open();
        }
    }

    @Test
    void each_generation_starts_before_the_one_before_it_stops() throws Exception {
        try (Lease lease = new Lease(openPlace())) {
            Provider old = lease.open();
            old.start();
            for (int i = 0; i < GENERATIONS; i++) {
                old.idle();
                Provider next = lease.open();
                next.start();
                lease.stop(old);
                old = next;
            }
        }
    }

    @Test
    void stopped_generations_leave_no_thread_of_their_own() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        each_generation_starts_before_the_one_before_it_stops();
        // java.net.http has no close() before Java 21: its thread ends when nothing refers to the client any more.
        System.gc();
        List<String> alive = new ArrayList<>();
        long deadline = System.nanoTime() + LAST_BREATH.toNanos();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (!before.contains(thread)) {
                thread.join(1 + TimeUnit.NANOSECONDS.toMillis(Math.max(0, deadline - System.nanoTime())));
                if (thread.isAlive()) {
                    alive.add(thread.getName());
                }
            }
        }
        assertEquals(List.of(), alive);
    }

    @Test
    void what_is_asked_on_a_loop_is_answered_at_once_though_all_threads_are_busy() throws Exception {
        try (Lease lease = new Lease(openPlace())) {
            Provider provider = lease.open();
            provider.start();
            lease.keepThreadsBusy();
            for (PoolConfig pool : lease.place.config().pools()) {
                for (String label : pool.labelNames()) {
                    Node node = node(lease, pool, label);
                    atOnce("getRequestHandler", () -> {
                        var handler = provider.getRequestHandler(pool, request(label));
                        handler.checkReusableNode(node, List.of());
                        handler.setNodeMetadata(node, List.of());
                        handler.checkAlive(node);
                        return handler.launchesComplete(List.of(node));
                    });
                }
            }
            atOnce("launches", provider::launches);
            atOnce("trouble", provider::trouble);
            atOnce("notifications", provider::notifications);
            atOnce("images", provider::images);
            atOnce("idle", () -> {
                provider.idle();
                return true;
            });
        }
    }

    @Test
    void every_label_uses_an_instance_and_is_ready() throws Exception {
        try (Lease lease = new Lease(openPlace())) {
            Provider provider = lease.open();
            provider.start();
            for (PoolConfig pool : lease.place.config().pools()) {
                for (String label : pool.labelNames()) {
                    QuotaInformation uses = provider.getQuotaForLabel(pool, label);
                    assertTrue(uses.of(QuotaInformation.INSTANCES) >= 1, label);
                    assertTrue(provider.labelReady(pool, label), label);
                }
            }
        }
    }

    @Test
    void a_node_without_a_machine_comes_to_its_end_by_itself() throws Exception {
        try (Lease lease = new Lease(openPlace())) {
            Provider provider = lease.open();
            provider.start();
            PoolConfig pool = lease.place.config().pools().get(0);
            Node node = node(lease, pool, pool.labelNames().iterator().next());
            Map<String, String> memo = Map.of();
            for (int steps = 0; steps < MANY_STEPS; steps++) {
                Step step = provider.cleanupNode(node, memo);
                if (!(step instanceof Step.Again again)) {
                    assertEquals(Step.Gone.class, step.getClass());
                    return;
                }
                memo = again.memo();
            }
            fail("not gone after " + MANY_STEPS + " steps");
        }
    }

    @Test
    void a_sweep_where_nothing_was_made_finds_nothing() throws Exception {
        try (Lease lease = new Lease(openPlace())) {
            Provider provider = lease.open();
            provider.start();
            provider.cleanupLeakedResources(lease.place.records());
            provider.cleanupLeakedResources(lease.place.records());
            assertEquals(List.of(), provider.listNodes());
        }
    }

    /** By this a launcher tells a change of limits from one that needs a new generation. */
    @Test
    void without_its_capacity_a_configuration_is_still_that_of_the_same_provider() throws Exception {
        try (ProviderUnderTest place = openPlace()) {
            var bare = place.config().withoutCapacity();
            assertEquals(place.config().name(), bare.name());
            assertEquals(place.config().driver(), bare.driver());
            assertEquals(bare, place.config().withoutCapacity());
            assertEquals(bare, bare.withoutCapacity());
        }
    }

    private static NodeRequest request(String label) {
        return NodeRequest.draft(
                NodeRequest.Wanted.of(List.of(label)), NodeRequest.Asker.named("contract kit"), Instant.EPOCH);
    }

    private static Node node(Lease lease, PoolConfig pool, String label) {
        return Node.draft(
                        NodeState.DELETING,
                        List.of(label),
                        Node.Place.in(lease.place.config().name(), pool.name()),
                        Node.Machine.NONE,
                        Instant.EPOCH)
                .withId(NODE);
    }

    private static <T> T atOnce(String what, Callable<T> call) {
        FutureTask<T> answer = new FutureTask<>(call);
        Thread loop = new Thread(answer, what);
        loop.setDaemon(true);
        loop.start();
        try {
            return answer.get(AT_ONCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(what + " did not return at once", e);
        } catch (ExecutionException e) {
            throw new AssertionError(what + " failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(what + " was interrupted", e);
        }
    }

    /** A place, and the threads that a launcher lends to its providers. */
    private static final class Lease implements AutoCloseable {

        private final ProviderUnderTest place;
        private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(LENT_THREADS);
        private final CountDownLatch ended = new CountDownLatch(1);
        private final List<Provider> running = new ArrayList<>();

        Lease(ProviderUnderTest place) {
            this.place = place;
        }

        Provider open() {
            Provider provider = place.open(executor);
            running.add(provider);
            return provider;
        }

        void stop(Provider provider) {
            running.remove(provider);
            provider.idle();
            atOnce("stop", () -> {
                provider.stop();
                return true;
            });
        }

        void keepThreadsBusy() {
            for (int i = 0; i < LENT_THREADS; i++) {
                executor.execute(() -> {
                    try {
                        ended.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
        }

        @Override
        public void close() {
            ended.countDown();
            for (Provider provider : List.copyOf(running)) {
                stop(provider);
            }
            executor.shutdownNow();
            place.close();
        }
    }
}
