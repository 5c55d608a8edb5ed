package nodepool.driver.statemachine.simple;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Launch;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;
import nodepool.testkit.LentContext;
import nodepool.testkit.ManualClock;
import nodepool.testkit.MemorySnapshots;
import nodepool.testkit.contract.FaultPoints;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is special about simple drivers; the rest is in the contract. */
class SimpleDriverTest {

    private final ManualClock clock = new ManualClock();
    private final SimpleCloud cloud = new SimpleCloud(clock, new FaultPoints(), Duration.ofSeconds(100));
    private final ScheduledExecutorService executor = new ScheduledThreadPoolExecutor(2);
    private final Provider provider = cloud.open(LentContext.of(new MemorySnapshots(), clock, executor, event -> {}));
    private final PoolConfig pool = cloud.config().pools().get(0);

    @AfterEach
    void end() {
        provider.stop();
        executor.shutdownNow();
    }

    @Test
    void a_machine_has_the_host_name_and_the_key_of_old() throws Exception {
        step(Map.of());
        SimpleCloud.Server made = cloud.servers().get(0);
        assertEquals("nodepool-0000000001", made.hostname());
        assertEquals("debian:ssh-rsa AAAA", made.metadata().get("ssh-keys"));
        assertEquals("0000000001", made.metadata().get(Launch.NODE_ID));
    }

    @Test
    void a_machine_that_does_not_boot_in_time_has_failed() throws Exception {
        Step.Again made = assertInstanceOf(Step.Again.class, step(Map.of()));
        clock.advance(Duration.ofSeconds(59));
        Step.Again still = assertInstanceOf(Step.Again.class, step(made.memo()));
        clock.advance(Duration.ofSeconds(2));
        CloudException late = assertThrows(CloudException.class, () -> step(still.memo()));
        assertEquals(Fault.MACHINE_FAILED, late.fault());
        assertEquals("error.status", late.fault().resultName());
    }

    @Test
    void without_further_words_a_machine_is_one_instance_and_nothing_is_limited() throws Exception {
        provider.start();
        assertEquals(QuotaInformation.UNLIMITED, provider.getQuotaLimits());
        assertEquals(1, provider.getQuotaForLabel(pool, "small").of(QuotaInformation.INSTANCES));
        assertEquals(0, provider.getQuotaForLabel(pool, "small").of(QuotaInformation.CORES));
        assertTrue(provider.labelReady(pool, "small"));
    }

    private Step step(Map<String, String> memo) throws CloudException {
        Node node = Node.draft(
                        NodeState.BUILDING,
                        List.of("small"),
                        Node.Place.in("simple", "main"),
                        Node.Machine.NONE,
                        Instant.EPOCH)
                .withId("0000000001");
        NodeRequest request = NodeRequest.draft(
                NodeRequest.Wanted.of(List.of("small")), NodeRequest.Asker.named("test"), Instant.EPOCH);
        Launch launch = new Launch(
                node,
                request,
                pool,
                pool.label("small").orElseThrow(),
                "np0000000001",
                Optional.empty(),
                Map.of(Launch.NODE_ID, node.id(), Launch.PROVIDER_NAME, "simple"),
                1);
        return provider.getRequestHandler(pool, request).launch(launch, memo);
    }
}
