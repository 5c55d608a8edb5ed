package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.PoolConfig;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.verdict.Reason.Code;
import nodepool.api.verdict.Verdict;
import org.junit.jupiter.api.Test;

class PlacementTest {

    private static final String ME = "host-PoolWorker.east-main-1";

    /** A pool with two labels. */
    private record TestPool(java.util.OptionalInt maxServers, int priority) implements PoolConfig {
        @Override
        public String name() {
            return "main";
        }

        @Override
        public QuotaInformation limits() {
            return maxServers.isPresent()
                    ? QuotaInformation.limits(Map.of(QuotaInformation.INSTANCES, (double) maxServers.getAsInt()))
                    : QuotaInformation.UNLIMITED;
        }

        @Override
        public JsonValue nodeAttributes() {
            return JsonNull.NULL;
        }

        @Override
        public java.util.Set<String> labelNames() {
            return java.util.Set.of("noble", "jammy");
        }

        @Override
        public List<LabelConfig> labels() {
            return List.of();
        }
    }

    @Test
    void a_request_for_known_labels_is_accepted() {
        assertEquals(new Verdict.Accept(), Placement.judge(request("noble", "jammy"), view(10)));
    }

    @Test
    void an_unknown_label_is_declined_when_nobody_has_it() {
        assertDeclined(Code.LABEL_UNKNOWN, Placement.judge(request("windows"), view(10)));
    }

    @Test
    void an_unknown_label_is_left_to_whoever_has_it() {
        PoolView view = view(10, other("west", 100, false, "windows"));
        assertDeferred(Code.OTHER_POOL_PREFERRED, Placement.judge(request("windows"), view));
    }

    @Test
    void a_disabled_pool_declines() {
        assertDeclined(Code.POOL_DISABLED, Placement.judge(request("noble"), view(0)));
    }

    @Test
    void a_request_larger_than_the_pool_is_declined() {
        assertDeclined(Code.EXCEEDS_QUOTA, Placement.judge(request("noble", "noble"), view(1)));
    }

    @Test
    void a_pool_of_better_priority_goes_first_unless_it_is_paused() {
        assertDeferred(
                Code.OTHER_POOL_PREFERRED,
                Placement.judge(request("noble"), view(10, other("west", 1, false, "noble"))));
        assertEquals(
                new Verdict.Accept(), Placement.judge(request("noble"), view(10, other("west", 1, true, "noble"))));
    }

    @Test
    void a_wanted_provider_is_waited_for_only_while_it_can_serve() {
        NodeRequest wants = new NodeRequest(
                "200-0000000001",
                new NodeRequest.Wanted(List.of("noble"), true, Optional.of("west"), 0),
                NodeRequest.Asker.named("test"),
                nodepool.api.request.RequestState.REQUESTED,
                Instant.EPOCH,
                List.of(),
                List.of(),
                nodepool.api.json.Stored.NEVER);
        assertDeferred(
                Code.OTHER_PROVIDER_WANTED, Placement.judge(wants, view(10, other("west", 100, false, "noble"))));
        assertEquals(new Verdict.Accept(), Placement.judge(wants, view(10)));
    }

    @Test
    void a_request_is_not_looked_at_again_after_it_was_declined_here() {
        assertDeferred(Code.ALREADY_DECLINED, Placement.judge(request("noble").declinedAlsoBy(ME), view(10)));
    }

    private static void assertDeclined(Code code, Verdict verdict) {
        assertEquals(
                code, assertInstanceOf(Verdict.Decline.class, verdict).because().code());
    }

    private static void assertDeferred(Code code, Verdict verdict) {
        assertEquals(
                code, assertInstanceOf(Verdict.Defer.class, verdict).until().code());
    }

    private static Registration.Pool other(String provider, int priority, boolean paused, String... labels) {
        return new Registration.Pool(
                "other-" + provider, Optional.of("main"), provider, List.of(labels), priority, paused);
    }

    private static PoolView view(int maxServers, Registration.Pool... others) {
        return new PoolView(
                ME,
                "east",
                new TestPool(java.util.OptionalInt.of(maxServers), 100),
                ProviderFacts.UNKNOWN,
                Map.of(),
                Optional.empty(),
                true,
                List.of(others),
                Map.of(),
                Map.of());
    }

    private static NodeRequest request(String... labels) {
        return NodeRequest.draft(NodeRequest.Wanted.of(List.of(labels)), NodeRequest.Asker.named("test"), Instant.EPOCH)
                .withId("200-0000000001");
    }
}
