package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.RequestState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What others left behind: lost requests, orphaned and empty records, old locks. */
class RecoveryTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_pending_request_without_a_launcher_is_served_with_the_node_it_had() {
        String request = scene.zuul().request("small");
        scene.zuul().setState(request, RequestState.PENDING);
        Node node = scene.store(NodeState.READY, "small", draft -> draft.withAllocation(to(request)));

        scene.launcher(Yaml.east());

        assertEquals(node.id(), scene.zuul().awaitNode(request).id());
        assertEquals(0, scene.cloud().creations());
    }

    @Test
    void a_lost_request_whose_node_was_never_locked_gets_another_and_the_first_is_removed() {
        String request = scene.zuul().request("small");
        scene.zuul().setState(request, RequestState.PENDING);
        Node orphan = scene.store(NodeState.INIT, "small", draft -> draft.withAllocation(to(request)));

        scene.launcher(Yaml.east());

        scene.zuul().awaitNode(request);
        scene.passTime(Duration.ofMinutes(20));
        scene.awaitGone(orphan.id());
    }

    @Test
    void a_request_that_is_pending_and_locked_is_left_alone() {
        String request = scene.zuul().request("small");
        var locked = Bell.await(scene.stores().requests().tryLock(request)).orElseThrow();
        Bell.await(scene.stores()
                .requests()
                .write(locked.with(locked.request()
                        .withState(RequestState.PENDING, scene.clock().instant()))));

        scene.launcher(Yaml.east());
        scene.passTime(Duration.ofMinutes(2));

        assertEquals(
                RequestState.PENDING,
                scene.zuul().awaitState(request, RequestState.PENDING).state());
        assertEquals(0, scene.cloud().creations());
    }

    @Test
    void a_ready_node_of_a_request_that_is_gone_serves_the_next_one() {
        Node node = scene.store(NodeState.READY, "small", draft -> draft.withAllocation(to("200-0000009999")));
        scene.launcher(Yaml.east());

        scene.until(
                "free",
                now -> now.node(node.id()).filter(seen -> !seen.isAllocated()).isPresent());

        assertEquals(
                node.id(), scene.zuul().awaitNode(scene.zuul().request("small")).id());
    }

    @Test
    void a_node_whose_request_is_deleted_is_free_at_once() {
        scene.launcher(Yaml.east());
        for (int round = 0; round < 10; round++) {
            String request = scene.zuul().ask("small").withoutReuse().submit();
            Node node = scene.zuul().awaitNode(request);

            scene.zuul().delete(request);

            scene.until(
                    "free",
                    now -> now.node(node.id())
                            .filter(seen -> !seen.isAllocated())
                            .isPresent());
        }
    }

    @Test
    void unlocked_nodes_that_are_no_use_to_anybody_are_deleted() {
        scene.launcher(Yaml.east());
        for (NodeState state : List.of(
                NodeState.USED,
                NodeState.IN_USE,
                NodeState.BUILDING,
                NodeState.FAILED,
                NodeState.ABORTED,
                NodeState.DELETING,
                NodeState.DELETED)) {
            scene.awaitGone(scene.store(state, "small").id());
        }
    }

    @Test
    void unlocked_nodes_that_may_be_wanted_are_kept() {
        scene.launcher(Yaml.east());
        List<Node> kept = List.of(
                scene.store(NodeState.READY, "small"),
                scene.store(NodeState.HOLD, "small"),
                scene.store(NodeState.TESTING, "small"));

        scene.passTime(Duration.ofHours(24));

        for (Node node : kept) {
            scene.awaitNode(node.id(), node.state());
        }
    }

    @Test
    void nodes_of_providers_that_are_not_configured_here_are_left_alone() {
        scene.launcher(Yaml.east());
        Node foreign =
                scene.store(NodeState.USED, "small", draft -> draft.withPlace(Node.Place.in("elsewhere", "main")));

        scene.passTime(Duration.ofHours(24));

        scene.awaitNode(foreign.id(), NodeState.USED);
    }

    @Test
    void a_node_record_without_data_is_removed() {
        scene.launcher(Yaml.east());
        scene.plain().createPath("/nodepool/nodes/0000000300", "");

        scene.passTime(Duration.ofSeconds(61));

        scene.awaitNoEntry("/nodepool/nodes/0000000300");
    }

    @Test
    void the_lock_of_a_request_that_others_left_goes_after_eight_hours() {
        scene.launcher(Yaml.east());
        scene.plain().createPath("/nodepool/requests-lock/200-0000009999", "");

        scene.passTime(Duration.ofHours(7));
        scene.sweep("east");
        assertTrue(scene.plain().exists("/nodepool/requests-lock/200-0000009999"));
        scene.passTime(Duration.ofHours(2));

        scene.awaitNoEntry("/nodepool/requests-lock/200-0000009999");
    }

    @Test
    void a_failed_request_leaves_no_lock_behind_when_its_requestor_goes() {
        scene.launcher(Yaml.east());
        String request = scene.zuul().request("windows");
        scene.zuul().awaitFailed(request);

        scene.zuul().delete(request);

        assertFalse(scene.plain().exists("/nodepool/requests-lock/" + request));
    }

    @Test
    void a_request_that_is_deleted_while_its_machines_are_made_gives_stock() {
        scene.launcher(Yaml.east());
        scene.cloud().hold();
        String cancelled = scene.zuul().request("small");
        scene.cloud().awaitServers(1);

        scene.zuul().delete(cancelled);
        scene.cloud().letGo();

        Node node = scene.awaitNodes(1, NodeState.READY).get(0);
        scene.awaitFree(node.id());
        assertEquals(
                node.id(), scene.zuul().awaitNode(scene.zuul().request("small")).id());
        assertEquals(1, scene.cloud().creations());
    }

    private static Node.Allocation to(String request) {
        return new Node.Allocation(Optional.of(request), Optional.empty(), Optional.of("zuul"));
    }
}
