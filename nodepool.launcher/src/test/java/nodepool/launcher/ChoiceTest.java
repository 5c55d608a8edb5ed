package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.node.Node;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.verdict.Reason.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which of several providers serves a request. */
class ChoiceTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_request_is_served_by_the_provider_it_names() {
        scene.launcher(eastAndWest());

        for (String wanted : List.of("east", "west", "west", "east")) {
            Node node = scene.zuul()
                    .awaitNode(scene.zuul().ask("small").from(wanted).submit());
            assertTrue(node.isIn(wanted, "main"), wanted);
        }
    }

    @Test
    void a_request_that_names_a_provider_nobody_has_is_served_by_any() {
        scene.launcher(Yaml.east());

        scene.zuul().awaitNode(scene.zuul().ask("small").from("north").submit());
    }

    @Test
    void a_request_that_names_a_provider_without_its_label_is_served_by_another() {
        scene.launcher(Yaml.labels("small", "large")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.provider("west", List.of("large")));

        Node node =
                scene.zuul().awaitNode(scene.zuul().ask("small").from("west").submit());

        assertTrue(node.isIn("east", "main"));
    }

    @Test
    void a_label_that_only_one_provider_has_comes_from_there() {
        scene.launcher(Yaml.labels("small", "large")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.provider("west", List.of("small", "large")));

        String request = scene.zuul().request("large");
        assertTrue(scene.zuul().awaitNode(request).isIn("west", "main"));
        assertEquals(
                List.of(),
                scene.zuul().awaitState(request, RequestState.FULFILLED).declinedBy());
    }

    @Test
    void the_better_priority_serves_until_it_is_full_then_the_other() {
        LauncherProcess launcher = scene.launcher(Yaml.labels("small")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"), "max-servers: 1", "priority: 1")
                + Yaml.provider("west", List.of("small"), "priority: 2"));

        assertTrue(scene.zuul().awaitNode(scene.zuul().request("small")).isIn("east", "main"));
        String paused = scene.zuul().request("small");
        launcher.awaitDeferred(paused, Code.QUOTA_FULL);
        Node third = scene.zuul().awaitNode(scene.zuul().request("small"));

        assertTrue(third.isIn("west", "main"));
    }

    @Test
    void a_pool_of_better_priority_that_has_declined_is_not_waited_for() {
        scene.launcher(Yaml.labels("small")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"), "max-servers: 1", "priority: 1")
                + Yaml.provider("west", List.of("small"), "priority: 2"));

        List<Node> nodes = scene.zuul().awaitNodes(scene.zuul().request("small", "small"));

        assertTrue(nodes.stream().allMatch(node -> node.isIn("west", "main")));
    }

    @Test
    void a_pool_of_better_priority_that_lacks_the_label_is_not_waited_for() {
        scene.launcher(Yaml.labels("small", "large")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"), "priority: 1")
                + Yaml.provider("west", List.of("small", "large"), "priority: 2"));

        assertTrue(scene.zuul().awaitNode(scene.zuul().request("large")).isIn("west", "main"));
    }

    @Test
    void the_priority_of_a_provider_is_that_of_its_pools() {
        scene.launcher(Yaml.labels("small")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.provider("west", List.of("small")).replace("    pools:", "    priority: 1\n    pools:"));

        for (int i = 0; i < 5; i++) {
            assertTrue(scene.zuul().awaitNode(scene.zuul().request("small")).isIn("west", "main"));
        }
    }

    @Test
    void what_one_provider_fails_to_make_the_other_makes() {
        scene.launcher(eastAndWest());
        scene.cloud("east").failCreations(Fault.TRANSIENT, 3);

        Node node =
                scene.zuul().awaitNode(scene.zuul().ask("small").from("east").submit());

        assertTrue(node.isIn("west", "main"));
        assertEquals(3, scene.cloud("east").creations());
    }

    @Test
    void a_request_that_waits_at_a_provider_moves_on_when_its_launch_fails_there() {
        LauncherProcess launcher = scene.launcher(Yaml.labels("small")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"), "max-servers: 1")
                + Yaml.provider("west", List.of("small"), "max-servers: 1"));
        List<LockedNode> east =
                scene.zuul().use(scene.zuul().ask("small").from("east").submit());
        List<LockedNode> west =
                scene.zuul().use(scene.zuul().ask("small").from("west").submit());
        String first = scene.zuul().ask("small").from("east").submit();
        String second = scene.zuul().ask("small").from("west").submit();
        launcher.awaitDeferred(first, Code.QUOTA_FULL);
        launcher.awaitDeferred(second, Code.QUOTA_FULL);

        scene.zuul().giveBack(west);
        List<LockedNode> served = scene.zuul().use(second);
        scene.cloud("east").failCreations(Fault.TRANSIENT, 3);
        scene.zuul().giveBack(east);
        scene.cloud("east").awaitCreations(4);
        scene.zuul().giveBack(served);

        assertTrue(scene.zuul().awaitNode(first).isIn("west", "main"));
    }

    @Test
    void a_disabled_provider_declines() {
        LauncherProcess launcher = scene.launcher(Yaml.east("max-servers: 0"));
        String request = scene.zuul().request("small");

        scene.zuul().awaitFailed(request);
        launcher.awaitDeclined(request, Code.POOL_DISABLED);
    }

    @Test
    void a_provider_that_does_not_start_harms_no_other() {
        scene.cloud("west").goDown();
        scene.begin(Yaml.labels("small", "large")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.provider("west", List.of("large")));

        scene.zuul().awaitNode(scene.zuul().request("small"));
    }

    @Test
    void a_provider_that_could_not_start_serves_when_its_cloud_is_back() {
        scene.cloud().goDown();
        scene.begin(Yaml.east());
        String request = scene.zuul().request("small");

        scene.cloud().comeBack();

        scene.zuul().awaitNode(request);
    }

    @Test
    void a_request_fails_only_when_all_providers_have_declined() {
        LauncherProcess launcher = scene.launcher(eastAndWest());

        String request = scene.zuul().request("windows");

        assertEquals(2, scene.zuul().awaitFailed(request).declinedBy().size());
        launcher.awaitDeclined(request, Code.LABEL_UNKNOWN);
    }

    @Test
    void a_set_is_served_by_the_only_pool_that_has_all_its_labels() {
        scene.launcher(Yaml.labels("small", "large")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.provider("west", List.of("large"))
                + Yaml.provider("both", List.of("small", "large")));

        List<Node> nodes = scene.zuul().awaitNodes(scene.zuul().request("small", "large"));

        assertTrue(nodes.stream().allMatch(node -> node.isIn("both", "main")));
    }

    private static String eastAndWest() {
        return Yaml.labels("small")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.provider("west", List.of("small"));
    }
}
