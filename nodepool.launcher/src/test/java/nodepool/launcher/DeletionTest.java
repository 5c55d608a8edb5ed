package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.Launch;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.store.LockedNode;
import nodepool.api.verdict.Reason.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes and servers that go, and servers nobody knows. */
class DeletionTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_node_that_is_set_to_deleting_goes_with_its_server() {
        scene.launcher(Yaml.east());
        Node node = scene.stock("small", 1).get(0);

        delete(node);

        scene.cloud().awaitServers(0);
        scene.awaitGone(node.id());
    }

    @Test
    void a_server_that_is_gone_already_is_no_hindrance() {
        scene.launcher(Yaml.east());
        Node node = scene.stock("small", 1).get(0);
        scene.cloud().lose(scene.cloud().servers().get(0), false);

        delete(node);

        scene.awaitGone(node.id());
    }

    @Test
    void a_server_that_stays_listed_as_deleted_counts_as_gone() {
        scene.launcher(Yaml.east());
        Node node = scene.stock("small", 1).get(0);
        scene.cloud().lose(scene.cloud().servers().get(0), true);

        delete(node);

        scene.awaitGone(node.id());
    }

    @Test
    void a_deletion_that_fails_is_repeated_later_and_holds_up_no_other() {
        scene.launcher(Yaml.east());
        List<Node> nodes = scene.stock("small", 2);
        scene.cloud().failDeletions(1);

        delete(nodes.get(0));
        scene.until(
                "it failed",
                now -> now.node(nodes.get(0).id())
                                .filter(node -> node.state() == NodeState.DELETING)
                                .isPresent()
                        && !now.isLocked(nodes.get(0).id()));
        delete(nodes.get(1));
        scene.awaitGone(nodes.get(1).id());
        scene.awaitNode(nodes.get(0).id(), NodeState.DELETING);

        scene.passTime(Duration.ofMinutes(5));
        scene.awaitGone(nodes.get(0).id());
        scene.cloud().awaitServers(0);
    }

    @Test
    void a_deletion_that_never_ends_is_given_up_after_ten_minutes_and_begun_again() {
        scene.launcher(Yaml.east());
        Node node = scene.stock("small", 1).get(0);
        scene.cloud().holdDeletions();
        delete(node);
        scene.until("under way", now -> now.isLocked(node.id()));

        scene.clock().putForward(Duration.ofMinutes(11));
        scene.until("given up", now -> !now.isLocked(node.id()));
        scene.awaitNode(node.id(), NodeState.DELETING);
        scene.cloud().letDeletionsGo();
        scene.passTime(Duration.ofMinutes(5));

        scene.awaitGone(node.id());
    }

    @Test
    void a_node_without_a_server_is_just_removed() {
        scene.launcher(Yaml.east());

        scene.awaitGone(scene.store(NodeState.DELETING, "small").id());
    }

    @Test
    void a_node_whose_user_died_is_removed() {
        scene.launcher(Yaml.east());
        LockedNode used = scene.zuul().use(scene.zuul().request("small")).get(0);

        Bell.await(scene.stores().nodes().unlock(used.lock()));

        scene.awaitGone(used.node().id());
        scene.cloud().awaitServers(0);
    }

    @Test
    void a_server_whose_node_record_was_removed_is_deleted_when_it_was_seen_twice() {
        scene.launcher(Yaml.east());
        Node node = scene.stock("small", 1).get(0);
        scene.plain().deleteTree("/nodepool/nodes/" + node.id());
        scene.awaitGone(node.id());

        scene.sweep("east");
        assertEquals(1, scene.cloud().servers().size());
        scene.sweep("east");

        scene.cloud().awaitServers(0);
    }

    @Test
    void servers_of_others_are_never_touched() {
        scene.launcher(Yaml.east());
        scene.cloud().makeForeign(Map.of(), QuotaInformation.NOTHING);
        scene.cloud()
                .makeForeign(
                        Map.of(Launch.PROVIDER_NAME, "elsewhere", Launch.NODE_ID, "0000000001"),
                        QuotaInformation.NOTHING);

        scene.sweep("east");
        scene.sweep("east");
        scene.sweep("east");

        assertEquals(2, scene.cloud().servers().size());
    }

    @Test
    void servers_of_living_nodes_are_never_touched() {
        scene.launcher(Yaml.east());
        scene.stock("small", 2);

        scene.sweep("east");
        scene.sweep("east");
        scene.sweep("east");

        assertEquals(2, scene.cloud().servers().size());
    }

    @Test
    void a_server_of_ours_that_no_node_knows_takes_room() {
        scene.cloud().allowServers(1);
        scene.cloud()
                .makeForeign(
                        Map.of(Launch.PROVIDER_NAME, "east", Launch.NODE_ID, "0000009999"),
                        QuotaInformation.needs(4, 1, 8192));
        LauncherProcess launcher = scene.launcher(Yaml.east());

        String request = scene.zuul().request("small");

        scene.zuul().awaitFailed(request);
        launcher.awaitDeclined(request, Code.EXCEEDS_QUOTA);
    }

    @Test
    void nothing_is_left_in_zookeeper_of_a_node_that_is_gone() {
        scene.launcher(Yaml.east());
        Node node = scene.stock("small", 1).get(0);

        delete(node);
        scene.awaitGone(node.id());

        assertFalse(scene.plain().exists("/nodepool/nodes/" + node.id()));
        assertFalse(scene.plain().exists("/nodepool-annex/nodes/" + node.id()));
        assertEquals(Optional.empty(), Bell.await(scene.stores().nodes().recall(node.id())));
    }

    private void delete(Node node) {
        scene.zuul()
                .change(
                        node.id(),
                        now -> now.withState(NodeState.DELETING, scene.clock().instant()));
    }
}
