package nodepool.launcher;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes that were ready or held for too long. Ages are looked at once a minute, so all of them are in minutes here. */
class AgesTest {

    private static final String READY_HOUR = Yaml.labels("{name: small, max-ready-age: 3600}", "{name: old}")
            + "providers:\n"
            + Yaml.provider("east", List.of("small", "old"));

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void an_unused_ready_node_is_deleted_at_its_age_and_not_before() {
        scene.launcher(READY_HOUR);
        Node node = scene.store(NodeState.READY, "small");

        scene.passTime(Duration.ofMinutes(58));
        scene.awaitNode(node.id(), NodeState.READY);
        scene.passTime(Duration.ofMinutes(3));

        scene.awaitGone(node.id());
    }

    @Test
    void a_ready_node_without_a_limit_stays() {
        scene.launcher(READY_HOUR);
        Node node = scene.store(NodeState.READY, "old");

        scene.passTime(Duration.ofHours(100));

        scene.awaitNode(node.id(), NodeState.READY);
    }

    @Test
    void a_ready_node_that_is_promised_or_locked_stays() {
        scene.launcher(READY_HOUR);
        String request = scene.zuul().request("small");
        Node promised = scene.zuul().awaitNode(request);
        LockedNode locked =
                scene.zuul().lock(scene.store(NodeState.READY, "small").id());

        scene.passTime(Duration.ofHours(2));

        scene.awaitNode(promised.id(), NodeState.READY);
        scene.awaitNode(locked.node().id(), NodeState.READY);
    }

    @Test
    void the_shortest_limit_of_a_nodes_labels_counts() {
        scene.launcher(READY_HOUR);
        Node node = scene.store(NodeState.READY, "old", draft -> draft.withTypes(List.of("old", "small")));

        scene.passTime(Duration.ofMinutes(61));

        scene.awaitGone(node.id());
    }

    @Test
    void a_held_node_is_deleted_at_the_configured_age_and_not_before() {
        scene.launcher(hold(1200));
        Node node = held(OptionalLong.empty());

        scene.passTime(Duration.ofMinutes(18));
        scene.awaitNode(node.id(), NodeState.HOLD);
        scene.passTime(Duration.ofMinutes(3));

        scene.awaitGone(node.id());
    }

    @Test
    void a_held_node_without_any_limit_stays() {
        scene.launcher(Yaml.east());
        Node node = held(OptionalLong.empty());

        scene.passTime(Duration.ofDays(100));

        scene.awaitNode(node.id(), NodeState.HOLD);
    }

    @Test
    void a_held_node_is_deleted_at_its_own_expiration() {
        scene.launcher(Yaml.east());
        Node node = held(OptionalLong.of(600));

        scene.passTime(Duration.ofMinutes(8));
        scene.awaitNode(node.id(), NodeState.HOLD);
        scene.passTime(Duration.ofMinutes(3));

        scene.awaitGone(node.id());
    }

    @Test
    void an_expiration_that_arrives_as_text_counts_like_a_number() {
        scene.launcher(Yaml.east());
        Node node = held(OptionalLong.of(600));
        scene.plain().edit("/nodepool/nodes/" + node.id(), text -> text.replaceFirst(": *600", ":\"600\""));

        scene.passTime(Duration.ofMinutes(11));

        scene.awaitGone(node.id());
    }

    @Test
    void an_expiration_that_is_no_number_is_none() {
        scene.launcher(Yaml.east());
        Node node = held(OptionalLong.of(600));
        scene.plain().edit("/nodepool/nodes/" + node.id(), text -> text.replaceFirst(": *600", ":\"notanumber\""));

        scene.passTime(Duration.ofDays(2));

        scene.awaitNode(node.id(), NodeState.HOLD);
    }

    @Test
    void of_two_held_nodes_the_one_with_the_shorter_expiration_goes_first() {
        scene.launcher(hold(1200));
        Node own = held(OptionalLong.of(120));
        Node general = held(OptionalLong.empty());

        scene.passTime(Duration.ofMinutes(4));
        scene.awaitGone(own.id());
        scene.awaitNode(general.id(), NodeState.HOLD);
        scene.passTime(Duration.ofMinutes(17));

        scene.awaitGone(general.id());
    }

    @Test
    void an_expiration_beyond_the_configured_age_extends_nothing() {
        scene.launcher(hold(1200));
        Node node = held(OptionalLong.of(10_800));

        scene.passTime(Duration.ofMinutes(21));

        scene.awaitGone(node.id());
    }

    @Test
    void a_changed_limit_counts_from_the_next_look() {
        LauncherProcess launcher = scene.launcher(Yaml.east());
        Node node = held(OptionalLong.empty());
        scene.passTime(Duration.ofHours(1));
        scene.awaitNode(node.id(), NodeState.HOLD);

        launcher.configure(hold(1200));
        scene.passTime(Duration.ofMinutes(2));

        scene.awaitGone(node.id());
    }

    private Node held(OptionalLong expiration) {
        return scene.store(
                NodeState.HOLD,
                "small",
                node -> node.withUse(new Node.Use(
                        Optional.of("a test looks at it"), node.use().userData(), Optional.empty(), expiration)));
    }

    private static String hold(int seconds) {
        return "max-hold-age: " + seconds + "\n" + Yaml.east();
    }
}
