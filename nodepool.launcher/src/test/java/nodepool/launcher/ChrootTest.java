package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import nodepool.api.node.NodeState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Everything below a chroot of a ZooKeeper that others use too. */
class ChrootTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene("/ci/nodepool1");

    @Test
    void a_request_is_fulfilled_and_its_node_removed_below_a_chroot() {
        scene.launcher(Yaml.east());
        String request = scene.zuul().request("small");
        assertEquals(NodeState.READY, scene.zuul().awaitNode(request).state());

        scene.zuul().giveBack(scene.zuul().use(request));

        scene.cloud().awaitServers(0);
    }
}
