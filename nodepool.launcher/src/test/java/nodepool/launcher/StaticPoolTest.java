package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.verdict.Reason.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A pool that launches nothing: the real static driver under a real launcher. */
class StaticPoolTest {

    private static final String ONE_HOST = cellar("{name: 127.0.0.1, labels: one}");
    private static final String TWO_HOSTS = cellar("{name: 127.0.0.1, labels: one}", "{name: 127.0.0.2, labels: two}");

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_host_serves_one_request_after_the_other_in_its_slot() {
        scene.launcher(ONE_HOST);

        List<LockedNode> first = scene.zuul().use(scene.zuul().request("one"));
        scene.zuul().giveBack(first);
        Node second = scene.zuul().awaitNode(scene.zuul().request("one"));

        assertEquals(Optional.of("127.0.0.1"), second.machine().hostname());
        assertEquals(OptionalInt.of(0), second.machine().slot());
        assertNotEquals(first.get(0).node().id(), second.id());
    }

    @Test
    void a_request_for_a_busy_host_waits_as_requested_and_blocks_no_other_label() {
        LauncherProcess launcher = scene.launcher(TWO_HOSTS);
        List<LockedNode> busy = scene.zuul().use(scene.zuul().request("one"));
        String waiting = scene.zuul().request("one");
        launcher.awaitDeferred(waiting, Code.NO_FREE_NODE);

        scene.zuul().awaitNode(scene.zuul().request("two"));

        assertEquals(
                RequestState.REQUESTED,
                scene.zuul().awaitState(waiting, RequestState.REQUESTED).state());
        scene.zuul().giveBack(busy);
        scene.zuul().awaitNode(waiting);
    }

    @Test
    void a_host_with_two_labels_is_given_only_as_often_as_it_has_slots() {
        LauncherProcess launcher =
                scene.launcher(cellar("{name: 127.0.0.1, labels: [one, two], max-parallel-jobs: 2}"));
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("one"));
        used.addAll(scene.zuul().use(scene.zuul().request("two")));

        String third = scene.zuul().request("one");
        launcher.awaitDeferred(third, Code.NO_FREE_NODE);

        scene.zuul().giveBack(used.get(1));
        scene.zuul().awaitNode(third);
    }

    @Test
    void waiting_requests_are_served_by_priority_then_age() {
        LauncherProcess launcher = scene.launcher(ONE_HOST);
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("one"));
        String low = scene.zuul().ask("one").priority("300").submit();
        String old = scene.zuul().ask("one").priority("200").submit();
        String young = scene.zuul().ask("one").priority("200").submit();
        String high = scene.zuul().ask("one").priority("100").submit();
        launcher.awaitDeferred(high, Code.NO_FREE_NODE);

        for (String next : List.of(high, old, young, low)) {
            scene.zuul().giveBack(used);
            used = scene.zuul().use(next);
        }
    }

    @Test
    void a_request_for_two_labels_gets_both_hosts() {
        scene.launcher(TWO_HOSTS);

        List<Node> nodes = scene.zuul().awaitNodes(scene.zuul().request("two", "one"));

        assertEquals(
                List.of(List.of("two"), List.of("one")),
                nodes.stream().map(Node::types).toList());
    }

    @Test
    void a_request_for_two_is_not_begun_while_only_one_is_free() {
        LauncherProcess launcher =
                scene.launcher(cellar("{name: 127.0.0.1, labels: one}", "{name: 127.0.0.2, labels: one}"));
        scene.awaitNodes(2, NodeState.READY);
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("one"));

        String both = scene.zuul().request("one", "one");
        launcher.awaitDeferred(both, Code.NO_FREE_NODE);
        assertTrue(scene.until(
                        "one is free",
                        now -> Snapshots.inState(now, NodeState.READY).stream().noneMatch(Node::isAllocated))
                .nodesAllocatedTo(both)
                .isEmpty());

        scene.zuul().giveBack(used);
        scene.zuul().awaitNodes(both);
    }

    @Test
    void a_shortage_takes_no_record_of_another_label_away() {
        LauncherProcess launcher = scene.launcher(TWO_HOSTS);
        Node two = scene.awaitNodes(2, NodeState.READY).stream()
                .filter(node -> node.types().equals(List.of("two")))
                .findFirst()
                .orElseThrow();
        scene.zuul().use(scene.zuul().request("one"));

        String waiting = scene.zuul().request("one");
        launcher.awaitDeferred(waiting, Code.NO_FREE_NODE);
        scene.settle();

        scene.awaitFree(two.id());
    }

    @Test
    void a_static_and_a_cloud_provider_each_serve_their_label() {
        scene.launcher(TWO_HOSTS.replace("labels:\n  - name: one\n", "labels:\n  - name: small\n  - name: one\n")
                + Yaml.provider("east", List.of("small")));

        assertTrue(scene.zuul().awaitNode(scene.zuul().request("one")).isIn("cellar", "main"));
        assertTrue(scene.zuul().awaitNode(scene.zuul().request("small")).isIn("east", "main"));
    }

    @Test
    void while_a_host_is_down_its_request_waits_and_others_are_served() {
        scene.scanner().isDown("127.0.0.1");
        scene.launcher(TWO_HOSTS);
        String waiting = scene.zuul().request("one");

        scene.zuul().awaitNode(scene.zuul().request("two"));
        assertTrue(scene.zuul().isWaiting(waiting));

        scene.scanner().isUp("127.0.0.1");
        scene.passTime(Duration.ofSeconds(61));
        scene.zuul().awaitNode(waiting);
    }

    @Test
    void a_host_that_went_down_since_it_was_registered_is_not_handed_out() {
        scene.launcher(ONE_HOST);
        Node before = scene.awaitNodes(1, NodeState.READY).get(0);
        scene.scanner().isDown("127.0.0.1");

        String request = scene.zuul().request("one");
        scene.until("its record is gone", now -> now.node(before.id()).isEmpty());
        assertTrue(scene.zuul().isWaiting(request));

        scene.scanner().isUp("127.0.0.1");
        scene.passTime(Duration.ofSeconds(61));
        assertNotEquals(before.id(), scene.zuul().awaitNode(request).id());
    }

    @Test
    void a_held_host_serves_nobody() {
        LauncherProcess launcher = scene.launcher(ONE_HOST);
        Node held = scene.awaitNodes(1, NodeState.READY).get(0);
        scene.zuul()
                .change(
                        held.id(),
                        node -> node.withState(NodeState.HOLD, scene.clock().instant()));

        String request = scene.zuul().request("one");

        launcher.awaitDeferred(request, Code.NO_FREE_NODE);
        scene.awaitNode(held.id(), NodeState.HOLD);
    }

    @Test
    void hosts_are_not_charged_to_a_tenant() {
        scene.launcher(TWO_HOSTS + Yaml.tenant("tenant-1", "max-servers: 1"));

        scene.zuul().use(scene.zuul().ask("one").forTenant("tenant-1").submit());

        scene.zuul().awaitNode(scene.zuul().ask("two").forTenant("tenant-1").submit());
    }

    @Test
    void a_label_without_any_host_is_declined() {
        scene.launcher(ONE_HOST);

        scene.zuul().awaitFailed(scene.zuul().request("three"));
    }

    /** Provider {@code cellar} with labels {@code one} and {@code two}, and these hosts. */
    private static String cellar(String... hosts) {
        StringBuilder yaml = new StringBuilder(Yaml.labels("one", "two") + """
                providers:
                  - name: cellar
                    driver: static
                    pools:
                      - name: main
                        nodes:
                """);
        for (String host : hosts) {
            yaml.append("          - ").append(host).append('\n');
        }
        return yaml.toString();
    }
}
