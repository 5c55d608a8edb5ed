package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stock of ready nodes. */
class MinReadyTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void the_wanted_number_of_nodes_is_made_and_no_more() {
        scene.launcher(stock(3));

        List<Node> nodes = scene.awaitNodes(3, NodeState.READY);
        nodes.forEach(node -> scene.awaitFree(node.id()));
        scene.settle();

        assertEquals(3, scene.cloud().creations());
        assertTrue(nodes.stream().allMatch(node -> node.connection().hostKeys().equals(List.of(ScriptedScanner.KEY))));
        scene.until("no request is left", now -> now.requests().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void nothing_is_made_for_a_label_without_stock(int minReady) {
        scene.launcher(stock(minReady));

        scene.settle();

        assertEquals(0, scene.cloud().creations());
    }

    @Test
    void a_node_that_is_taken_is_replaced() {
        scene.launcher(stock(1));
        Node first = scene.awaitNodes(1, NodeState.READY).get(0);
        scene.awaitFree(first.id());

        scene.zuul().use(scene.zuul().request("small"));

        Node second = scene.awaitNodes(1, NodeState.READY).get(0);
        assertTrue(!second.id().equals(first.id()));
        assertEquals(2, scene.cloud().creations());
    }

    @Test
    void a_node_that_an_operator_deletes_is_replaced() {
        scene.launcher(stock(1));
        Node first = scene.awaitNodes(1, NodeState.READY).get(0);
        scene.awaitFree(first.id());

        scene.zuul()
                .change(
                        first.id(),
                        node -> node.withState(NodeState.DELETING, scene.clock().instant()));

        scene.awaitGone(first.id());
        scene.awaitNodes(1, NodeState.READY);
    }

    @Test
    void a_node_whose_server_cannot_be_deleted_is_replaced_all_the_same() {
        scene.launcher(stock(1));
        Node first = scene.awaitNodes(1, NodeState.READY).get(0);
        scene.awaitFree(first.id());
        scene.cloud().failDeletions(100);

        scene.zuul()
                .change(
                        first.id(),
                        node -> node.withState(NodeState.DELETING, scene.clock().instant()));

        scene.awaitNodes(1, NodeState.READY);
        scene.awaitNode(first.id(), NodeState.DELETING);
    }

    @Test
    void a_node_that_an_operator_holds_is_replaced_and_so_is_nothing_when_it_goes() {
        scene.launcher(stock(1));
        Node first = scene.awaitNodes(1, NodeState.READY).get(0);
        scene.awaitFree(first.id());

        scene.zuul()
                .change(
                        first.id(),
                        node -> node.withState(NodeState.HOLD, scene.clock().instant()));
        Node second = scene.awaitNodes(1, NodeState.READY).get(0);
        scene.awaitFree(second.id());
        scene.zuul()
                .change(
                        first.id(),
                        node -> node.withState(NodeState.DELETING, scene.clock().instant()));
        scene.awaitGone(first.id());
        scene.settle();

        assertEquals(2, scene.cloud().creations());
    }

    @Test
    void a_full_pool_makes_no_stock_and_no_noise() {
        LauncherProcess launcher = scene.launcher(Yaml.east("max-servers: 1"));
        scene.zuul().use(scene.zuul().request("small"));

        launcher.configure(stock(2, "max-servers: 1"));
        scene.settle();
        scene.settle();

        assertEquals(1, scene.cloud().creations());
        long declined = launcher.events().stream()
                .filter(event -> event.toString().contains("MIN_READY_AT_QUOTA"))
                .count();
        assertTrue(declined <= 2, declined + " requests for stock were declined");
    }

    @Test
    void a_changed_number_is_made_up_for_at_once() {
        LauncherProcess launcher = scene.launcher(stock(1));
        scene.awaitFree(scene.awaitNodes(1, NodeState.READY).get(0).id());

        launcher.configure(stock(3));

        scene.awaitNodes(3, NodeState.READY);
    }

    @Test
    void nothing_is_made_while_the_clouds_image_is_missing() {
        scene.launcher(Yaml.inProviders(
                "cloud-images: [{name: missing}]",
                Yaml.labels("{name: small, min-ready: 1}", "other")
                        + "providers:\n"
                        + Yaml.provider("east", List.of("{name: small, cloud-image: missing}", "other"))));

        scene.settle();
        scene.settle();

        assertEquals(0, scene.cloud().creations());
        assertTrue(scene.until("anything", now -> true).requests().stream().noneMatch(NodeRequest::isMinReady));
    }

    @Test
    void a_provider_that_does_not_start_keeps_no_other_from_its_stock() {
        scene.cloud("west").goDown();
        scene.begin(Yaml.labels("{name: small, min-ready: 1}", "{name: large, min-ready: 1}")
                + "providers:\n"
                + Yaml.provider("west", List.of("large"))
                + Yaml.provider("east", List.of("small")));

        assertEquals(
                List.of("small"), scene.awaitNodes(1, NodeState.READY).get(0).types());
    }

    @Test
    void two_launchers_keep_one_stock() {
        String east =
                Yaml.labels("{name: small, min-ready: 3}") + "providers:\n" + Yaml.provider("east", List.of("small"));
        String west = east.replace("name: east", "name: west");
        scene.begin(east);
        scene.begin(west);

        scene.awaitNodes(3, NodeState.READY).forEach(node -> scene.awaitFree(node.id()));
        scene.settle();

        assertEquals(3, scene.cloud("east").creations() + scene.cloud("west").creations());
    }

    @Test
    void a_stock_in_one_provider_of_two_is_made_there() {
        scene.launcher(Yaml.east());
        scene.launcher(
                Yaml.labels("{name: large, min-ready: 1}") + "providers:\n" + Yaml.provider("west", List.of("large")));

        assertTrue(scene.awaitNodes(1, NodeState.READY).get(0).isIn("west", "main"));
        scene.settle();
        assertEquals(0, scene.cloud("east").creations());
    }

    @Test
    void when_the_launcher_that_keeps_the_stock_is_gone_another_keeps_it() {
        LauncherProcess first = scene.launcher(stock(1));
        scene.launcher(stock(1));
        Node node = scene.awaitNodes(1, NodeState.READY).get(0);
        scene.awaitFree(node.id());

        first.crash();
        scene.zuul().use(scene.zuul().request("small"));

        scene.awaitNodes(1, NodeState.READY);
    }

    @Test
    void stock_stands_behind_requests_of_people() {
        scene.cloud().hold();
        String asked = scene.zuul().request("small");
        scene.launcher(stock(5, "max-servers: 1"));

        scene.cloud().awaitServers(1);
        scene.cloud().letGo();

        scene.zuul().awaitNode(asked);
    }

    private static String stock(int minReady, String... poolLines) {
        return Yaml.labels("{name: small, min-ready: " + minReady + "}")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"), poolLines);
    }
}
