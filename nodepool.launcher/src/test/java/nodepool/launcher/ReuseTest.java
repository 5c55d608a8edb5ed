package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which ready nodes serve a request, and which do not. */
class ReuseTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_ready_node_that_belongs_to_nobody_serves_the_next_request() {
        scene.launcher(Yaml.east());
        Node ready = scene.stock("small", 1).get(0);

        String request = scene.zuul().ask("small").forTenant("tenant-1").submit();
        Node node = scene.zuul().awaitNode(request);

        assertEquals(ready.id(), node.id());
        assertEquals(
                new Node.Allocation(Optional.of(request), Optional.of("tenant-1"), Optional.of("zuul")),
                node.allocation());
        assertEquals(1, scene.cloud().creations());
    }

    @Test
    void a_request_that_wants_fresh_nodes_gets_no_other() {
        scene.launcher(Yaml.east());
        Node ready = scene.stock("small", 1).get(0);

        Node node =
                scene.zuul().awaitNode(scene.zuul().ask("small").withoutReuse().submit());

        assertNotEquals(ready.id(), node.id());
        scene.awaitFree(ready.id());
    }

    @Test
    void a_set_is_made_of_ready_and_new_nodes() {
        scene.launcher(Yaml.east());
        Node ready = scene.stock("small", 1).get(0);

        Set<String> ids = new HashSet<>();
        scene.zuul().awaitNodes(scene.zuul().request("small", "small")).forEach(node -> ids.add(node.id()));

        assertTrue(ids.contains(ready.id()));
        assertEquals(2, ids.size());
        assertEquals(2, scene.cloud().creations());
    }

    @Test
    void a_held_node_serves_nobody() {
        scene.launcher(Yaml.east());
        Node held = scene.stock("small", 1).get(0);
        scene.zuul()
                .change(
                        held.id(),
                        node -> node.withState(NodeState.HOLD, scene.clock().instant()));
        scene.awaitNode(held.id(), NodeState.HOLD);

        Node node = scene.zuul().awaitNode(scene.zuul().request("small"));

        assertNotEquals(held.id(), node.id());
    }

    @Test
    void a_locked_node_serves_nobody() {
        scene.launcher(Yaml.east());
        Node ready = scene.stock("small", 1).get(0);
        LockedNode locked = scene.zuul().lock(ready.id());

        Node node = scene.zuul().awaitNode(scene.zuul().request("small"));

        assertNotEquals(locked.node().id(), node.id());
    }

    @Test
    void a_node_of_another_label_serves_nobody_here() {
        scene.launcher(Yaml.labels("one", "two") + "providers:\n" + Yaml.provider("east", List.of("one", "two")));
        scene.stock("one", 1);

        Node node = scene.zuul().awaitNode(scene.zuul().request("two"));

        assertEquals(List.of("two"), node.types());
        assertEquals(2, scene.cloud().creations());
    }

    @Test
    void a_node_of_another_pool_is_not_mixed_in() {
        String twoPools = Yaml.labels("one", "two")
                + "providers:\n"
                + Yaml.provider("east", List.of("one"))
                + Yaml.provider("west", List.of("one", "two"));
        scene.launcher(twoPools);
        String stocked = scene.zuul().ask("one").from("east").submit();
        Node eastern = scene.zuul().awaitNode(stocked);
        scene.zuul().delete(stocked);
        scene.settle();
        scene.awaitFree(eastern.id());

        List<Node> nodes = scene.zuul().awaitNodes(scene.zuul().request("one", "two"));

        assertTrue(nodes.stream().allMatch(node -> node.isIn("west", "main")), nodes::toString);
    }

    @Test
    void a_node_with_two_labels_serves_either() {
        scene.launcher(Yaml.labels("one", "two") + "providers:\n" + Yaml.provider("east", List.of("one", "two")));
        Node both = scene.store(NodeState.READY, "one", node -> node.withTypes(List.of("one", "two")));

        assertEquals(
                both.id(), scene.zuul().awaitNode(scene.zuul().request("two")).id());
        assertEquals(0, scene.cloud().creations());
    }

    @Test
    void two_requests_never_get_the_same_node() {
        scene.launcher(Yaml.east());
        scene.stock("small", 3);

        List<String> requests = List.of(
                scene.zuul().request("small"),
                scene.zuul().request("small", "small"),
                scene.zuul().request("small"),
                scene.zuul().request("small", "small"));

        Set<String> ids = new HashSet<>();
        requests.forEach(request -> scene.zuul().awaitNodes(request).forEach(node -> ids.add(node.id())));
        assertEquals(6, ids.size());
    }

    @Test
    void ready_nodes_of_another_zone_are_not_mixed_in() {
        scene.cloud().zones("az1", "az2");
        scene.launcher(Yaml.labels("one", "two") + "providers:\n" + Yaml.provider("east", List.of("one", "two")));
        inZone("one", "az1");
        Node other = inZone("two", "az2");

        List<Node> nodes = scene.zuul().awaitNodes(scene.zuul().request("one", "two"));

        assertEquals(
                List.of(Optional.of("az1"), Optional.of("az1")),
                nodes.stream().map(node -> node.place().az()).toList());
        scene.awaitFree(other.id());
    }

    private Node inZone(String label, String zone) {
        return scene.store(
                NodeState.READY, label, node -> node.withPlace(node.place().withAz(Optional.of(zone))));
    }
}
