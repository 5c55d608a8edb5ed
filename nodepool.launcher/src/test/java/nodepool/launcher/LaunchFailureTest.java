package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.event.Event;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Launches that go wrong, and what is tried then. */
class LaunchFailureTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    private static final String TWO_ATTEMPTS = Yaml.inProviders("launch-retries: 2", Yaml.east());

    @Test
    void a_request_fails_after_as_many_attempts_as_configured() {
        scene.launcher(TWO_ATTEMPTS);
        scene.cloud().failCreations(Fault.TRANSIENT, 2);

        NodeRequest failed = scene.zuul().awaitFailed(scene.zuul().request("small"));

        assertEquals(1, failed.declinedBy().size());
        assertEquals(2, scene.cloud().creations());
        scene.until("no node", now -> now.nodes().isEmpty());
    }

    @ParameterizedTest
    @EnumSource(names = {"TRANSIENT", "CAPACITY", "MACHINE_FAILED", "NO_ADDRESS", "TIMEOUT"})
    void one_failure_is_made_good_by_the_next_attempt(Fault fault) {
        scene.launcher(TWO_ATTEMPTS);
        scene.cloud().failCreations(fault, 1);

        scene.zuul().awaitNode(scene.zuul().request("small"));

        assertEquals(2, scene.cloud().creations());
    }

    @ParameterizedTest
    @EnumSource(names = {"BAD_REQUEST", "UNAUTHORIZED"})
    void what_can_never_work_is_tried_once(Fault fault) {
        scene.launcher(TWO_ATTEMPTS);
        scene.cloud().failCreations(fault, 1);

        scene.zuul().awaitFailed(scene.zuul().request("small"));

        assertEquals(1, scene.cloud().creations());
    }

    @Test
    void being_asked_to_slow_down_is_no_attempt() {
        scene.launcher(TWO_ATTEMPTS);
        scene.cloud().failCreations(Fault.RATE_LIMIT, 2);

        scene.zuul().awaitNode(scene.zuul().request("small"));

        assertEquals(3, scene.cloud().creations());
    }

    @Test
    void a_server_that_never_becomes_active_is_given_up_after_the_launch_timeout() {
        scene.launcher(Yaml.inProviders("launch-timeout: 60", TWO_ATTEMPTS));
        scene.cloud().hold();
        String request = scene.zuul().request("small");
        scene.cloud().awaitServers(1);

        scene.clock().putForward(Duration.ofSeconds(61));
        scene.cloud().awaitCreations(2);
        scene.cloud().awaitServers(1);
        scene.clock().putForward(Duration.ofSeconds(61));

        scene.zuul().awaitFailed(request);
        scene.cloud().awaitServers(0);
        assertEquals(2, scene.cloud().creations());
    }

    @Test
    void servers_that_end_in_an_error_are_removed_and_the_next_request_is_served() {
        scene.launcher(TWO_ATTEMPTS);
        scene.cloud().breakServers(2);

        scene.zuul().awaitFailed(scene.zuul().request("small"));

        scene.cloud().awaitServers(0);
        scene.zuul().awaitNode(scene.zuul().request("small"));
        assertEquals(1, scene.cloud().servers().size());
    }

    @Test
    void a_failed_deletion_between_two_attempts_is_repeated() {
        scene.launcher(TWO_ATTEMPTS);
        scene.cloud().breakServers(1);
        scene.cloud().failDeletions(1);

        scene.zuul().awaitNode(scene.zuul().request("small"));

        scene.cloud().awaitServers(1);
        assertEquals(1, scene.until("anything", now -> true).nodes().size());
    }

    @Test
    void the_external_id_of_the_second_attempt_is_stored_while_it_runs() {
        scene.launcher(TWO_ATTEMPTS);
        scene.cloud().hold();
        scene.cloud().breakServers(1);
        scene.zuul().request("small");
        scene.cloud().awaitCreations(2);

        List<Server> servers = scene.cloud().await("the second server", now -> now.size() == 1);

        scene.until(
                "its id is stored",
                now -> now.nodes().stream()
                        .anyMatch(node -> node.machine()
                                .externalId()
                                .equals(Optional.of(servers.get(0).id()))));
    }

    @Test
    void a_failed_key_scan_is_made_good_by_the_next_attempt() {
        scene.launcher(TWO_ATTEMPTS);
        scene.scanner().fail(1);

        Node node = scene.zuul().awaitNode(scene.zuul().request("small"));

        assertEquals(List.of(ScriptedScanner.KEY), node.connection().hostKeys());
        assertEquals(2, scene.cloud().creations());
        scene.cloud().awaitServers(1);
    }

    @Test
    void a_request_fails_when_the_key_scan_fails_at_every_attempt() {
        scene.launcher(TWO_ATTEMPTS);
        scene.scanner().fail(4);

        scene.zuul().awaitFailed(scene.zuul().request("small"));

        assertEquals(2, scene.cloud().creations());
        scene.cloud().awaitServers(0);
    }

    @Test
    void every_failed_attempt_is_reported_with_its_reason() {
        LauncherProcess launcher = scene.launcher(TWO_ATTEMPTS);
        scene.cloud().failCreations(Fault.CAPACITY, 2);

        scene.zuul().awaitFailed(scene.zuul().request("small"));

        Event.LaunchFailed last = launcher.awaitEvent(
                "the last failure",
                event -> event instanceof Event.LaunchFailed failed && failed.last()
                        ? Optional.of(failed)
                        : Optional.empty());
        assertEquals(2, last.attempt());
        assertTrue(
                last.reason().detail().contains("creation failed as told"),
                last.reason().detail());
        assertEquals(
                2,
                launcher.events().stream()
                        .filter(event -> event instanceof Event.LaunchFailed)
                        .count());
    }

    @Test
    void after_the_clouds_zones_have_changed_the_next_request_works() {
        scene.cloud().zones("az1");
        scene.launcher(TWO_ATTEMPTS);
        Node before = scene.zuul().awaitNode(scene.zuul().request("small"));
        assertEquals(Optional.of("az1"), before.place().az());
        scene.cloud().zones("az2");

        scene.zuul().awaitFailed(scene.zuul().request("small"));

        Node node = scene.zuul().awaitNode(scene.zuul().request("small"));
        assertEquals(Optional.of("az2"), node.place().az());
    }

    @Test
    void one_failed_node_of_two_fails_the_request_and_the_ready_one_serves_another() {
        scene.launcher(TWO_ATTEMPTS);
        scene.cloud().hold();
        String request = scene.zuul().request("small", "small");
        List<Server> servers = scene.cloud().awaitServers(2);
        scene.cloud().finish(servers.get(0));
        Node ready = scene.awaitNodes(1, NodeState.READY).get(0);

        scene.cloud().failCreations(Fault.TRANSIENT, 1);
        scene.cloud().lose(servers.get(1), false);

        scene.zuul().awaitFailed(request);
        assertEquals(
                ready.id(),
                scene.zuul().awaitNode(scene.zuul().request("small")).id());
    }

    @Test
    void records_that_are_no_nodes_disturb_nobody() {
        scene.plain().createPath("/nodepool/nodes/0000000100", "{\"state\":\"ready\",\"provider\":\"east\"}");
        scene.plain().createPath("/nodepool/nodes/0000000101", "{\"state\":\"ready\",\"type\":[\"small\"]}");
        scene.plain().createPath("/nodepool/nodes/0000000102", "no JSON");
        scene.launcher(TWO_ATTEMPTS);

        scene.zuul().awaitNode(scene.zuul().request("small"));
    }

    @Test
    void a_failed_node_outranks_a_refused_one() {
        scene.launcher(TWO_ATTEMPTS);
        scene.cloud().failCreations(Fault.BAD_REQUEST, 1);
        scene.cloud().failCreations(Fault.QUOTA, 1);

        scene.zuul().awaitFailed(scene.zuul().request("small", "small"));
    }
}
