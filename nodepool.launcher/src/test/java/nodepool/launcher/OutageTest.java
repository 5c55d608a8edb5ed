package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import nodepool.api.store.LockedNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A ZooKeeper that is away for a moment. */
class OutageTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_launch_survives_a_zookeeper_that_is_started_again() {
        scene.launcher(Yaml.east());
        scene.cloud().hold();
        String request = scene.zuul().request("small");
        scene.cloud().awaitServers(1);

        scene.restartZooKeeper();
        scene.cloud().letGo();

        scene.zuul().awaitNode(request);
        assertEquals(1, scene.cloud().servers().size());
    }

    @Test
    void nodes_in_use_survive_a_zookeeper_that_is_started_again() {
        scene.launcher(Yaml.east());
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("small"));

        scene.restartZooKeeper();
        scene.settle();

        assertEquals(1, scene.cloud().servers().size());
        scene.zuul().giveBack(used);
        scene.cloud().awaitServers(0);
    }

    @Test
    void a_machine_that_is_ready_while_zookeeper_is_away_is_handed_over_when_it_is_back() {
        scene.launcher(Yaml.east());
        scene.cloud().hold();
        String request = scene.zuul().request("small");
        scene.cloud().awaitServers(1);

        scene.stopZooKeeper();
        scene.cloud().letGo();
        scene.startZooKeeper();

        scene.zuul().awaitNode(request);
        assertEquals(1, scene.cloud().creations());
    }
}
