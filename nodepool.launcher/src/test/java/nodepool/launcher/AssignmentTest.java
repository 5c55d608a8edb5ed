package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.Launch;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.verdict.Reason.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** From a request to its nodes. */
class AssignmentTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_fulfilled_request_has_a_ready_unlocked_node_that_says_everything() {
        scene.cloud().zones("az1");
        scene.launcher(Yaml.east("node-attributes: {color: red}"));

        String request = scene.zuul().ask("small").forTenant("tenant-1").submit();
        Node node = scene.zuul().awaitNode(request);

        assertEquals(NodeState.READY, node.state());
        assertEquals(List.of("small"), node.types());
        assertEquals(
                new Node.Place(
                        Optional.of("east"),
                        Optional.of("main"),
                        Optional.of("scripted"),
                        Optional.of("region1"),
                        Optional.of("az1"),
                        Optional.of("host1")),
                node.place());
        assertEquals(
                new Node.Allocation(Optional.of(request), Optional.of("tenant-1"), Optional.of("zuul")),
                node.allocation());
        assertEquals(
                Optional.of(QuotaInformation.needs(4, 1, 8192)), node.machine().resources());
        assertEquals(Optional.of("noble"), node.machine().imageId());
        assertEquals(
                new JsonObject(Map.of("color", JsonValue.of("red"))),
                node.machine().attributes());
        assertTrue(node.machine().launcher().orElseThrow().startsWith("launcher1-PoolWorker.east-main-"));
        assertEquals(22, node.connection().portNumber().orElseThrow());
        assertEquals(Optional.of("ssh"), node.connection().type());
        assertEquals(Optional.of("zuul"), node.connection().username());
        assertEquals(Optional.of("auto"), node.connection().pythonPath());
        assertEquals(List.of(ScriptedScanner.KEY), node.connection().hostKeys());
        assertEquals(Optional.of("127.0.0.1"), node.addresses().interfaceIp());
        assertFalse(scene.until("free", now -> !now.isLocked(node.id())).isLocked(node.id()));
    }

    @Test
    void a_server_carries_the_names_that_tell_whose_it_is() {
        scene.launcher(Yaml.east());

        Node node = scene.zuul().awaitNode(scene.zuul().request("small"));

        Server server = scene.cloud().servers().get(0);
        assertEquals(
                Map.of(Launch.NODE_ID, node.id(), Launch.POOL_NAME, "main", Launch.PROVIDER_NAME, "east"),
                server.metadata());
        assertEquals("np" + node.id(), server.hostname());
        assertEquals(Optional.of(server.id()), node.machine().externalId());
    }

    @Test
    void nodes_stand_in_the_order_of_the_labels_however_they_became_ready() {
        scene.launcher(Yaml.labels("one", "two", "three", "four")
                + "providers:\n"
                + Yaml.provider("east", List.of("one", "two", "three", "four")));
        scene.zuul().awaitNode(scene.zuul().request("two"));
        scene.cloud().hold();

        String request = scene.zuul().request("three", "one", "four", "two");
        List<Server> made = scene.cloud().awaitServers(5);
        for (int last = made.size() - 1; last > 0; last--) {
            scene.cloud().finish(made.get(last));
        }

        assertEquals(
                List.of(List.of("three"), List.of("one"), List.of("four"), List.of("two")),
                scene.zuul().awaitNodes(request).stream().map(Node::types).toList());
    }

    @Test
    void the_same_label_twice_gives_two_nodes() {
        scene.launcher(Yaml.east());

        List<Node> nodes = scene.zuul().awaitNodes(scene.zuul().request("small", "small"));

        assertNotEquals(nodes.get(0).id(), nodes.get(1).id());
        assertEquals(2, scene.cloud().servers().size());
    }

    @Test
    void a_used_node_is_removed_with_its_server_and_its_records() {
        scene.launcher(Yaml.east());
        String request = scene.zuul().request("small");
        String node = scene.zuul().awaitNode(request).id();

        scene.zuul().giveBack(scene.zuul().use(request));

        scene.cloud().awaitServers(0);
        scene.awaitGone(node);
        assertFalse(scene.plain().exists("/nodepool/nodes/" + node));
    }

    @Test
    void the_lock_of_a_request_goes_with_the_request() {
        scene.launcher(Yaml.east());
        String request = scene.zuul().request("small");
        scene.zuul().awaitNode(request);
        assertTrue(scene.plain().exists("/nodepool/requests-lock/" + request));

        scene.zuul().delete(request);

        assertFalse(scene.plain().exists("/nodepool/requests-lock/" + request));
    }

    @Test
    void a_label_nobody_offers_fails_and_names_who_declined() {
        LauncherProcess launcher = scene.launcher(Yaml.east());

        String request = scene.zuul().request("windows");

        NodeRequest failed = scene.zuul().awaitFailed(request);
        launcher.awaitDeclined(request, Code.LABEL_UNKNOWN);
        assertEquals(1, failed.declinedBy().size());
        assertTrue(failed.declinedBy().get(0).startsWith("launcher1-PoolWorker.east-main-"));
        assertEquals(List.of(), failed.nodes());
    }

    @Test
    void a_request_is_pending_and_locked_while_its_machine_is_made() {
        scene.cloud().hold();
        scene.launcher(Yaml.east());

        String request = scene.zuul().request("small");
        scene.cloud().awaitServers(1);

        scene.zuul().awaitState(request, RequestState.PENDING);
        Node building = scene.awaitNodes(1, NodeState.BUILDING).get(0);
        assertTrue(scene.until("locked", now -> now.isLocked(building.id())).isLocked(building.id()));
        scene.until(
                "external id",
                now -> now.node(building.id())
                        .flatMap(node -> node.machine().externalId())
                        .isPresent());
        scene.cloud().letGo();
        assertEquals(building.id(), scene.zuul().awaitNode(request).id());
    }

    @Test
    void a_node_that_was_just_handed_over_is_locked_by_nobody_else() {
        scene.launcher(Yaml.east());

        List<Node> nodes = scene.zuul()
                .awaitNodes(
                        scene.zuul().request(Collections.nCopies(20, "small").toArray(String[]::new)));

        for (Node node : nodes) {
            assertTrue(Bell.await(scene.stores().nodes().tryLock(node.id())).isPresent(), "lock of " + node.id());
        }
    }

    @Test
    void without_min_ready_an_idle_launcher_makes_nothing() {
        scene.launcher(Yaml.east());

        scene.settle();

        assertEquals(0, scene.cloud().creations());
        assertEquals(0, scene.until("anything", now -> true).nodes().size());
    }
}
