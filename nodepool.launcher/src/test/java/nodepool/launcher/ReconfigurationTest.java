package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import nodepool.api.node.NodeState;
import nodepool.api.registry.Registration;
import nodepool.api.store.LockedNode;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Configurations that change while the launcher runs, and drivers that come and go. */
class ReconfigurationTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    private static final String EAST_AND_WEST = Yaml.labels("small")
            + "providers:\n"
            + Yaml.provider("east", List.of("small"))
            + Yaml.provider("west", List.of("small"));

    @Test
    void a_provider_that_is_removed_is_not_registered_any_more() {
        LauncherProcess launcher = scene.launcher(EAST_AND_WEST);

        launcher.configure(Yaml.east());

        scene.until("only east", now -> pools(now).equals(List.of("east")));
        assertTrue(scene.zuul().awaitNode(scene.zuul().request("small")).isIn("east", "main"));
    }

    @Test
    void a_provider_that_is_added_serves() {
        LauncherProcess launcher = scene.launcher(Yaml.east());

        launcher.configure(EAST_AND_WEST);

        scene.until("both", now -> pools(now).size() == 2);
        scene.zuul().awaitNode(scene.zuul().ask("small").from("west").submit());
    }

    @Test
    void a_pool_registers_its_own_labels_and_new_ones_when_they_come() {
        LauncherProcess launcher = scene.launcher(Yaml.labels("small", "large")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.provider("west", List.of("large")));
        scene.until(
                "own labels",
                now -> labels(now, "east").equals(List.of("small"))
                        && labels(now, "west").equals(List.of("large")));

        launcher.configure(Yaml.labels("small", "large")
                + "providers:\n"
                + Yaml.provider("east", List.of("small", "large"))
                + Yaml.provider("west", List.of("large")));

        scene.until("new label", now -> labels(now, "east").equals(List.of("small", "large")));
    }

    @Test
    void a_changed_priority_is_registered() {
        LauncherProcess launcher = scene.launcher(Yaml.east("priority: 5"));

        launcher.configure(Yaml.east("priority: 6"));

        scene.until(
                "priority 6",
                now -> now.components().stream()
                        .flatMap(component -> component.pool().stream())
                        .anyMatch(pool -> pool.priority() == 6));
    }

    @Test
    void more_room_is_used_at_once_and_restarts_nothing() {
        LauncherProcess launcher = scene.launcher(Yaml.east("max-servers: 1"));
        scene.zuul().use(scene.zuul().request("small"));
        String waiting = scene.zuul().request("small");
        launcher.awaitDeferred(waiting, Code.QUOTA_FULL);

        launcher.configure(Yaml.east("max-servers: 2"));

        scene.zuul().awaitNode(waiting);
        assertEquals(1, launcher.providersMade("east"));
    }

    @Test
    void stock_ages_and_limits_of_tenants_restart_nothing() {
        LauncherProcess launcher = scene.launcher(Yaml.east());

        launcher.configure("max-hold-age: 77\n"
                + Yaml.labels("{name: small, min-ready: 1, max-ready-age: 99}")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.tenant("tenant-1", "max-servers: 1"));
        scene.awaitNodes(1, NodeState.READY);

        assertEquals(1, launcher.providersMade("east"));
    }

    @Test
    void no_thread_of_a_removed_provider_is_left() throws InterruptedException {
        String name = "to-be-removed";
        LauncherProcess launcher =
                scene.launcher(Yaml.labels("small") + "providers:\n" + Yaml.provider(name, List.of("small")));
        scene.zuul().awaitNode(scene.zuul().request("small"));
        List<Thread> threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains(name))
                .toList();
        assertFalse(threads.isEmpty());

        launcher.configure(Yaml.east());

        for (Thread thread : threads) {
            thread.join(20_000);
            assertFalse(thread.isAlive(), thread.getName());
        }
    }

    @Test
    void a_changed_provider_leaves_the_others_running() {
        LauncherProcess launcher = scene.launcher(EAST_AND_WEST);

        launcher.configure(Yaml.labels("small")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.inProviders("launch-retries: 7", Yaml.provider("west", List.of("small"))));
        launcher.awaitProvidersMade("west", 2);

        assertEquals(1, launcher.providersMade("east"));
    }

    @Test
    void what_a_replaced_provider_was_making_is_finished() {
        LauncherProcess launcher = scene.launcher(Yaml.east());
        scene.cloud().hold();
        String request = scene.zuul().request("small");
        scene.cloud().awaitServers(1);

        launcher.configure(Yaml.inProviders("launch-retries: 7", Yaml.east()));
        launcher.awaitProvidersMade("east", 2);
        scene.cloud().letGo();

        scene.zuul().awaitNode(request);
        assertEquals(1, scene.cloud().creations());
    }

    @Test
    void a_changed_provider_that_does_not_start_leaves_the_old_one_in_service() {
        LauncherProcess launcher = scene.launcher(Yaml.east());
        scene.cloud().goDown();
        launcher.configure(Yaml.inProviders("launch-retries: 7", Yaml.east()));
        launcher.awaitTrouble();

        scene.cloud().comeBack();

        scene.zuul().awaitNode(scene.zuul().request("small"));
    }

    @Test
    void a_removed_provider_finishes_what_it_was_making() {
        LauncherProcess launcher = scene.launcher(EAST_AND_WEST);
        scene.cloud("west").hold();
        String request = scene.zuul().ask("small").from("west").submit();
        scene.cloud("west").awaitServers(1);

        launcher.configure(Yaml.east());
        scene.cloud("west").letGo();

        scene.zuul().awaitNode(request);
    }

    @Test
    void a_request_that_waits_for_room_at_a_removed_provider_is_served_elsewhere() {
        LauncherProcess launcher = scene.launcher(Yaml.labels("small")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.provider("west", List.of("small"), "max-servers: 1"));
        scene.zuul().use(scene.zuul().ask("small").from("west").submit());
        String waiting = scene.zuul().ask("small").from("west").submit();
        launcher.awaitDeferred(waiting, Code.QUOTA_FULL);

        launcher.configure(Yaml.east());

        assertTrue(scene.zuul().awaitNode(waiting).isIn("east", "main"));
    }

    @Test
    void nodes_of_a_removed_provider_are_left_alone() {
        LauncherProcess launcher = scene.launcher(EAST_AND_WEST);
        List<LockedNode> used =
                scene.zuul().use(scene.zuul().ask("small").from("west").submit());
        launcher.configure(Yaml.east());
        launcher.awaitProviders(Set.of("east"));

        scene.zuul().giveBack(used);
        scene.settle();

        scene.awaitNode(used.get(0).node().id(), NodeState.USED);
        launcher.configure(EAST_AND_WEST);
        scene.awaitGone(used.get(0).node().id());
    }

    @Test
    void a_disabled_pool_takes_nothing_and_its_nodes_live_out_their_lives() {
        LauncherProcess launcher = scene.launcher(EAST_AND_WEST);
        List<LockedNode> used =
                scene.zuul().use(scene.zuul().ask("small").from("west").submit());

        launcher.configure(Yaml.labels("small", "shows-the-change")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.provider("west", List.of("small", "shows-the-change"), "max-servers: 0"));
        scene.until("the change is there", now -> labels(now, "west").contains("shows-the-change"));

        String request = scene.zuul().ask("small").from("west").submit();
        assertTrue(scene.zuul().awaitNode(request).isIn("east", "main"));
        scene.zuul().giveBack(used);
        scene.cloud("west").awaitServers(0);
    }

    @Test
    void requests_wait_for_a_driver_that_is_gone_and_are_served_when_it_is_back() {
        LauncherProcess launcher = scene.launcher(Yaml.east());
        launcher.removeDriver();
        launcher.awaitTrouble();
        String request = scene.zuul().request("small");
        launcher.awaitDeferred(request, Code.DRIVER_ABSENT);

        launcher.addDriver();

        scene.zuul().awaitNode(request);
    }

    @Test
    void a_step_whose_classes_go_with_its_driver_is_taken_again_by_the_next_and_costs_no_attempt() {
        LauncherProcess launcher = scene.launcher(Yaml.east());
        scene.cloud().afterNextCreation(() -> {
            launcher.removeDriver();
            throw new NoClassDefFoundError("of a bundle that is gone");
        });
        String request = scene.zuul().request("small");
        launcher.awaitTrouble();

        launcher.addDriver();

        scene.zuul().awaitNode(request);
        assertEquals(1, scene.cloud().creations());
    }

    private static List<String> pools(Snapshot now) {
        return now.components().stream()
                .flatMap(component -> component.pool().stream())
                .map(Registration.Pool::provider)
                .sorted()
                .toList();
    }

    private static List<String> labels(Snapshot now, String provider) {
        return now.components().stream()
                .flatMap(component -> component.pool().stream())
                .filter(pool -> pool.provider().equals(provider))
                .flatMap(pool -> pool.supportedLabels().stream())
                .toList();
    }
}
