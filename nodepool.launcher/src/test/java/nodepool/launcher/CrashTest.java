package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.verdict.Reason.Code;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A launcher that dies with its hands full, and whoever goes on with that. */
class CrashTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_launcher_that_is_started_again_goes_on_with_the_machine_it_had_begun() {
        LauncherProcess dying = scene.launcher(Yaml.east());
        scene.cloud().hold();
        String request = scene.zuul().request("small");
        Server server = scene.cloud().awaitServers(1).get(0);
        awaitExternalId(server);

        dying.crash();
        scene.launcher(Yaml.east());
        scene.cloud().letGo();

        assertEquals(
                Optional.of(server.id()),
                scene.zuul().awaitNode(request).machine().externalId());
        assertEquals(1, scene.cloud().creations());
    }

    @Test
    void another_launcher_goes_on_with_the_machine_at_once() {
        LauncherProcess first = scene.launcher(Yaml.east());
        scene.cloud().hold();
        String request = scene.zuul().request("small");
        awaitExternalId(scene.cloud().awaitServers(1).get(0));
        scene.launcher(Yaml.east());

        first.crash();
        scene.cloud().letGo();

        scene.zuul().awaitNode(request);
        assertEquals(1, scene.cloud().creations());
    }

    @Test
    void a_server_that_was_made_in_the_moment_of_the_crash_is_found_again() {
        LauncherProcess dying = scene.launcher(Yaml.east());
        scene.cloud().afterNextCreation(dying::crash);
        String request = scene.zuul().request("small");
        scene.cloud().awaitServers(1);

        scene.launcher(Yaml.east());

        scene.zuul().awaitNode(request);
        scene.settle();
        assertEquals(1, scene.cloud().servers().size());
    }

    @Test
    void a_set_of_which_some_are_ready_keeps_them() {
        LauncherProcess dying = scene.launcher(Yaml.east());
        scene.cloud().hold();
        String request = scene.zuul().request("small", "small", "small");
        List<Server> servers = scene.cloud().awaitServers(3);
        servers.forEach(this::awaitExternalId);
        scene.cloud().finish(servers.get(1));
        scene.awaitNodes(1, NodeState.READY);

        dying.crash();
        scene.launcher(Yaml.east());
        scene.cloud().letGo();

        assertEquals(3, scene.zuul().awaitNodes(request).size());
        assertEquals(3, scene.cloud().creations());
    }

    @Test
    void a_request_that_waited_for_room_still_does_and_is_served() {
        LauncherProcess dying = scene.launcher(Yaml.east("max-servers: 1"));
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("small"));
        String waiting = scene.zuul().request("small");
        dying.awaitDeferred(waiting, Code.QUOTA_FULL);

        dying.crash();
        scene.launcher(Yaml.east("max-servers: 1"));
        scene.zuul().giveBack(used);

        scene.zuul().awaitNode(waiting);
        assertEquals(2, scene.cloud().creations());
    }

    @Test
    void a_deletion_that_was_under_way_is_brought_to_its_end() {
        LauncherProcess dying = scene.launcher(Yaml.east());
        Node node = scene.stock("small", 1).get(0);
        scene.cloud().holdDeletions();
        scene.zuul()
                .change(
                        node.id(),
                        now -> now.withState(NodeState.DELETING, scene.clock().instant()));
        scene.until("under way", now -> now.isLocked(node.id()));

        dying.crash();
        scene.cloud().letDeletionsGo();
        scene.launcher(Yaml.east());

        scene.awaitGone(node.id());
        scene.cloud().awaitServers(0);
    }

    @Test
    void nodes_in_use_survive_the_crash_and_are_removed_when_given_back() {
        LauncherProcess dying = scene.launcher(Yaml.east());
        LockedNode used = scene.zuul().use(scene.zuul().request("small")).get(0);

        dying.crash();
        scene.launcher(Yaml.east());
        scene.settle();
        scene.awaitNode(used.node().id(), NodeState.IN_USE);
        scene.zuul().giveBack(used);

        scene.cloud().awaitServers(0);
    }

    @Test
    void a_request_that_is_deleted_while_nobody_runs_leaves_nothing_behind() {
        LauncherProcess dying = scene.launcher(Yaml.east());
        scene.cloud().hold();
        String request = scene.zuul().request("small");
        awaitExternalId(scene.cloud().awaitServers(1).get(0));

        dying.crash();
        scene.zuul().delete(request);
        scene.launcher(Yaml.east());

        scene.cloud().awaitServers(0);
        scene.until("no node", now -> now.nodes().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void a_launcher_that_crashes_again_and_again_loses_nothing(int crashes) {
        List<String> requests = List.of(
                scene.zuul().request("small"),
                scene.zuul().request("small", "small"),
                scene.zuul().request("small"));
        for (int i = 0; i < crashes; i++) {
            LauncherProcess dying = scene.launcher(Yaml.east("max-servers: 4"));
            scene.cloud().awaitCreations(i + 1);
            dying.crash();
        }

        scene.launcher(Yaml.east("max-servers: 4"));

        requests.forEach(request -> scene.zuul().awaitNodes(request));
        scene.settle();
        assertTrue(scene.cloud().servers().size() <= 4, scene.cloud().servers()::toString);
    }

    @Test
    void a_lost_session_loses_no_request() {
        LauncherProcess launcher = scene.launcher(Yaml.east());
        scene.cloud().hold();
        String request = scene.zuul().request("small");
        awaitExternalId(scene.cloud().awaitServers(1).get(0));

        scene.expireSession(launcher);
        scene.cloud().letGo();

        scene.zuul().awaitNode(request);
        scene.cloud().awaitServers(1);
    }

    @Test
    void after_a_lost_session_the_pools_are_registered_again() {
        LauncherProcess launcher = scene.launcher(Yaml.east());

        scene.expireSession(launcher);
        scene.until("it is gone", now -> now.components().isEmpty());

        scene.until("it is back", now -> now.components().size() == 2);
        scene.zuul().awaitNode(scene.zuul().request("small"));
    }

    @RepeatedTest(5)
    void a_launcher_that_is_stopped_in_the_moment_it_takes_a_request_lets_go_of_it() {
        LauncherProcess stopped = scene.launcher(Yaml.east());
        scene.cloud().hold();
        String request = scene.zuul().request("small");
        scene.zuul().awaitState(request, RequestState.PENDING);

        // It would give up waiting after 30 s.
        assertTimeout(Duration.ofSeconds(20), stopped::stop);
        scene.launcher(Yaml.east());
        scene.cloud().letGo();
        scene.zuul().awaitNode(request);
    }

    /** The launcher died after it had recorded the node, before it found that another had taken the last room. */
    @Test
    void a_node_for_which_there_was_no_room_when_its_launcher_died_is_withdrawn() {
        Node first = scene.store(NodeState.HOLD, "small", small -> small);
        String request = scene.zuul().request("small");
        Node second = scene.store(
                NodeState.INIT,
                "small",
                small -> small.withAllocation(
                        new Node.Allocation(Optional.of(request), Optional.empty(), Optional.of("zuul"))));
        LockedNode locked = Bell.await(scene.stores()
                        .nodes()
                        .lockNew(
                                second.withState(
                                        NodeState.BUILDING, scene.clock().instant()),
                                NodeLaunch.firstMemo(scene.clock().instant())))
                .orElseThrow();
        scene.zuul().setState(request, RequestState.PENDING);
        Bell.await(scene.stores().nodes().unlock(locked.lock()));

        scene.launcher(Yaml.east("max-servers: 1"));

        scene.awaitGone(second.id());
        assertEquals(0, scene.cloud().creations());
        scene.zuul()
                .change(
                        first.id(),
                        held -> held.withState(NodeState.USED, scene.clock().instant()));
        scene.zuul().awaitNode(request);
    }

    /** The launcher died after it had promised a node from the stock, before it found that the tenant had no room. */
    @Test
    void a_ready_node_for_which_its_tenant_had_no_room_when_its_launcher_died_is_taken_back() {
        String request = scene.zuul().ask("small").forTenant("tenant-1").submit();
        Node first = scene.store(NodeState.HOLD, "small", small -> ofTenant(small, "200-0000009999"));
        Node second = scene.store(NodeState.READY, "small", small -> ofTenant(small, request));
        scene.zuul().setState(request, RequestState.PENDING);

        scene.launcher(Yaml.east() + Yaml.tenant("tenant-1", "max-servers: 1"));

        scene.awaitFree(second.id());
        assertTrue(scene.zuul().isWaiting(request));
        scene.zuul()
                .change(
                        first.id(),
                        held -> held.withState(NodeState.USED, scene.clock().instant()));
        assertEquals(second.id(), scene.zuul().awaitNode(request).id());
    }

    private static Node ofTenant(Node node, String request) {
        return node.withAllocation(
                        new Node.Allocation(Optional.of(request), Optional.of("tenant-1"), Optional.of("zuul")))
                .withMachine(
                        node.machine().withResources(QuotaInformation.needs(Map.of(QuotaInformation.INSTANCES, 1.0))));
    }

    private void awaitExternalId(Server server) {
        scene.until(
                "id of " + server.id() + " is stored",
                now -> now.nodes().stream()
                        .anyMatch(node -> node.machine().externalId().equals(Optional.of(server.id()))));
    }
}
