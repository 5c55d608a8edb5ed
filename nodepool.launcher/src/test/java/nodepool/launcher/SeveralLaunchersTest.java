package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Launchers beside each other, and launchers that leave in good order. */
class SeveralLaunchersTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void three_launchers_of_one_pool_serve_every_request_once() {
        scene.launcher(Yaml.east());
        scene.launcher(Yaml.east());
        scene.launcher(Yaml.east());
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            requests.add(scene.zuul().request("small"));
        }

        Set<String> nodes = new HashSet<>();
        requests.forEach(request -> nodes.add(scene.zuul().awaitNode(request).id()));

        assertEquals(20, nodes.size());
        assertEquals(20, scene.cloud().creations());
    }

    @Test
    void two_launchers_of_one_pool_keep_its_limit_together() {
        scene.launcher(Yaml.east("max-servers: 3"));
        scene.launcher(Yaml.east("max-servers: 3"));
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            requests.add(scene.zuul().request("small"));
        }

        useAllInAnyOrder(requests);

        assertTrue(scene.cloud().mostServers() <= 3, scene.cloud().mostServers() + " servers at the same time");
    }

    @Test
    void two_launchers_keep_the_limit_of_a_tenant_together() {
        String limited = Yaml.east() + Yaml.tenant("tenant-1", "max-servers: 2");
        scene.launcher(limited);
        scene.launcher(limited);
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            requests.add(scene.zuul().ask("small").forTenant("tenant-1").submit());
        }

        useAllInAnyOrder(requests);

        assertTrue(scene.cloud().mostServers() <= 2, scene.cloud().mostServers() + " servers at the same time");
    }

    @Test
    void a_request_fails_only_when_the_pools_of_all_launchers_have_declined() {
        scene.launcher(Yaml.east());
        scene.launcher(Yaml.labels("large") + "providers:\n" + Yaml.provider("west", List.of("large")));

        assertEquals(
                2,
                scene.zuul()
                        .awaitFailed(scene.zuul().request("windows"))
                        .declinedBy()
                        .size());
    }

    @Test
    void each_launcher_removes_only_nodes_of_its_own_providers() {
        scene.launcher(Yaml.east());
        LauncherProcess west =
                scene.launcher(Yaml.labels("large") + "providers:\n" + Yaml.provider("west", List.of("large")));
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("large"));
        west.stop();

        scene.zuul().giveBack(used);
        scene.settle();

        scene.awaitNode(used.get(0).node().id(), NodeState.USED);
        assertEquals(1, scene.cloud("west").servers().size());
    }

    @Test
    void a_launcher_that_stops_leaves_no_registration_and_no_lock() {
        LauncherProcess launcher = scene.launcher(Yaml.east("max-servers: 1"));
        scene.cloud().hold();
        String building = scene.zuul().request("small");
        scene.zuul().request("small");
        scene.cloud().awaitServers(1);

        launcher.stop();

        scene.until("nobody is registered", now -> now.components().isEmpty());
        scene.until("nothing is locked", now -> now.nodes().stream().noneMatch(node -> now.isLocked(node.id())));
        assertTrue(scene.zuul().isWaiting(building));
    }

    @Test
    void what_a_stopping_launcher_was_making_is_finished_by_the_next() {
        LauncherProcess first = scene.launcher(Yaml.east());
        scene.cloud().hold();
        String request = scene.zuul().request("small", "small");
        scene.cloud().awaitServers(2);

        first.stop();
        scene.launcher(Yaml.east());
        scene.cloud().letGo();

        scene.zuul().awaitNodes(request);
        scene.settle();
        assertEquals(2, scene.cloud().servers().size());
    }

    @Test
    void while_a_launcher_stops_the_other_serves_on() {
        LauncherProcess first = scene.launcher(Yaml.east());
        scene.launcher(Yaml.east());
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            requests.add(scene.zuul().request("small"));
        }

        first.stop();
        for (int i = 0; i < 10; i++) {
            requests.add(scene.zuul().request("small"));
        }

        requests.forEach(request -> scene.zuul().awaitNode(request));
        scene.settle();
        assertEquals(20, scene.cloud().servers().size());
    }

    @Test
    void a_ready_node_of_a_launcher_that_is_gone_serves_on() {
        LauncherProcess first = scene.launcher(Yaml.east());
        Node ready = scene.stock("small", 1).get(0);

        first.stop();
        scene.launcher(Yaml.east());

        assertEquals(
                ready.id(),
                scene.zuul().awaitNode(scene.zuul().request("small")).id());
    }

    private void useAllInAnyOrder(List<String> requests) {
        while (!requests.isEmpty()) {
            String answered = scene.zuul().awaitAnyAnswered(requests);
            requests.remove(answered);
            scene.zuul().giveBack(scene.zuul().use(answered));
        }
    }
}
