package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import nodepool.api.driver.Launch;
import nodepool.api.event.Event;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where nodes are made, and what is written about them. */
class NodeContentTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void the_configured_zone_is_used() {
        scene.cloud().zones("az1", "az2");
        scene.launcher(Yaml.east("availability-zones: [az2]"));

        Node node = scene.zuul().awaitNode(scene.zuul().request("small"));

        assertEquals(Optional.of("az2"), node.place().az());
        assertEquals(Optional.of("az2"), scene.cloud().servers().get(0).zone());
    }

    @Test
    void all_nodes_of_a_request_are_in_one_zone() {
        scene.cloud().zones("az1", "az2", "az3");
        scene.launcher(Yaml.east());

        Set<Optional<String>> zones = scene.zuul().awaitNodes(scene.zuul().request("small", "small", "small")).stream()
                .map(node -> node.place().az())
                .collect(Collectors.toSet());

        assertEquals(1, zones.size());
    }

    @Test
    void what_is_launched_first_decides_the_zone_for_ready_nodes_too() {
        scene.cloud().zones("az1");
        scene.launcher(Yaml.labels("one", "two") + "providers:\n" + Yaml.provider("east", List.of("one", "two")));
        Node elsewhere = scene.store(
                NodeState.READY, "two", node -> node.withPlace(node.place().withAz(Optional.of("az2"))));

        List<Node> nodes = scene.zuul().awaitNodes(scene.zuul().request("one", "two"));

        assertTrue(nodes.stream().allMatch(node -> node.place().az().equals(Optional.of("az1"))), nodes::toString);
        scene.awaitFree(elsewhere.id());
    }

    @Test
    void pools_of_one_provider_keep_their_zones_and_names() {
        scene.cloud().zones("az1", "az2");
        scene.launcher(Yaml.labels("one", "two") + """
                providers:
                  - name: east
                    driver: scripted
                    pools:
                      - name: main
                        max-servers: 1
                        availability-zones: [az1]
                        labels: [{name: one}]
                      - name: side
                        max-servers: 1
                        availability-zones: [az2]
                        labels: [{name: two}]
                """);

        Node one = scene.zuul().awaitNode(scene.zuul().request("one"));
        Node two = scene.zuul().awaitNode(scene.zuul().request("two"));

        assertTrue(one.isIn("east", "main"));
        assertEquals(Optional.of("az1"), one.place().az());
        assertTrue(two.isIn("east", "side"));
        assertEquals(Optional.of("az2"), two.place().az());
        assertEquals(
                List.of("main", "side"),
                scene.cloud().servers().stream()
                        .map(server -> server.metadata().get(Launch.POOL_NAME))
                        .toList());
    }

    @Test
    void without_host_key_checking_nothing_is_scanned() {
        scene.launcher(label("host-key-checking: false"));

        Node node = scene.zuul().awaitNode(scene.zuul().request("small"));

        assertEquals(List.of(), node.connection().hostKeys());
        assertEquals(List.of(), scene.scanner().asked());
    }

    @Test
    void network_devices_have_host_keys_too() {
        scene.launcher(label("connection-type: network_cli"));

        Node node = scene.zuul().awaitNode(scene.zuul().request("small"));

        assertEquals(Optional.of("network_cli"), node.connection().type());
        assertEquals(List.of(ScriptedScanner.KEY), node.connection().hostKeys());
    }

    @Test
    void windows_is_waited_for_at_its_own_port_and_has_no_host_keys() {
        scene.launcher(label("connection-type: winrm"));

        Node node = scene.zuul().awaitNode(scene.zuul().request("small"));

        assertEquals(5986, node.connection().portNumber().orElseThrow());
        assertEquals(List.of(), node.connection().hostKeys());
        assertEquals(5986, scene.scanner().asked().get(0).port());
        assertFalse(scene.scanner().asked().get(0).gatherKeys());
    }

    @Test
    void a_console_log_that_was_asked_for_is_kept_for_every_attempt_that_was_not_reached() {
        LauncherProcess launcher = scene.launcher(label("console-log: true"));
        scene.scanner().fail(3);

        scene.zuul().awaitFailed(scene.zuul().request("small"));

        List<Optional<String>> consoles = launcher.events().stream()
                .flatMap(event ->
                        event instanceof Event.LaunchFailed failed ? Stream.of(failed.console()) : Stream.empty())
                .toList();
        assertEquals(
                List.of(
                        Optional.of("console of server-1"),
                        Optional.of("console of server-2"),
                        Optional.of("console of server-3")),
                consoles);
    }

    @Test
    void a_console_log_that_nobody_asked_for_is_not_fetched() {
        LauncherProcess launcher = scene.launcher(Yaml.east());
        scene.scanner().fail(3);

        scene.zuul().awaitFailed(scene.zuul().request("small"));

        assertTrue(launcher.events().stream()
                .noneMatch(event -> event instanceof Event.LaunchFailed failed
                        && failed.console().isPresent()));
    }

    @Test
    void a_server_can_be_told_by_its_name_from_every_other() {
        scene.launcher(Yaml.east());

        scene.zuul().awaitNodes(scene.zuul().request("small", "small", "small"));

        assertEquals(
                3,
                scene.cloud().servers().stream()
                        .map(Server::hostname)
                        .distinct()
                        .count());
    }

    private static String label(String more) {
        return Yaml.labels("small") + "providers:\n" + Yaml.provider("east", List.of("{name: small, " + more + "}"));
    }
}
