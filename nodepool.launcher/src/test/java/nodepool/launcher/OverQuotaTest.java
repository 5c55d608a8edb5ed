package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.LockedNode;
import nodepool.api.verdict.Reason.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Less room than thought, and pools that are full. */
class OverQuotaTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_request_waits_when_the_cloud_refuses_and_is_served_when_there_is_room_again() {
        scene.cloud().allowServers(20);
        scene.launcher(Yaml.east());
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("small"));
        scene.cloud().allowServers(1);

        String second = scene.zuul().request("small");
        scene.cloud().awaitCreations(2);
        scene.settle();
        assertTrue(scene.zuul().isWaiting(second));

        scene.zuul().giveBack(used);
        scene.zuul().awaitNode(second);
        assertEquals(1, scene.cloud().servers().size());
    }

    @Test
    void a_refused_launch_leaves_no_node_behind() {
        scene.cloud().allowServers(0);
        scene.cloud().claimToAllow(QuotaInformation.UNLIMITED);
        scene.launcher(Yaml.east());

        String request = scene.zuul().request("small");
        scene.cloud().awaitCreations(1);
        scene.zuul().delete(request);

        scene.until("no node", now -> now.nodes().isEmpty());
    }

    @Test
    void a_pool_that_ignores_the_clouds_quota_waits_when_it_is_refused() {
        scene.cloud().allowServers(0);
        scene.launcher(Yaml.east("ignore-provider-quota: true"));

        String request = scene.zuul().request("small");
        scene.cloud().awaitCreations(1);
        assertTrue(scene.zuul().isWaiting(request));
        scene.cloud().allowServers(1);

        scene.zuul().awaitNode(request);
    }

    @Test
    void a_cloud_that_refuses_is_not_asked_again_and_again() {
        scene.cloud().allowServers(0);
        scene.launcher(Yaml.east("ignore-provider-quota: true"));
        scene.zuul().request("small");
        scene.zuul().request("small");
        scene.cloud().awaitCreations(1);

        Bell.await(CompletableFuture.supplyAsync(
                () -> "two seconds later", CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS)));

        assertTrue(scene.cloud().creations() <= 5, scene.cloud().creations() + " creations in two seconds");
    }

    @Test
    void a_cloud_that_refused_many_and_has_room_again_is_not_used_for_one_at_a_time() {
        scene.cloud().allowServers(0);
        scene.cloud().claimToAllow(QuotaInformation.UNLIMITED);
        List<String> requests =
                Stream.generate(() -> scene.zuul().request("small")).limit(4).toList();
        scene.launcher(Yaml.east());
        scene.cloud().awaitCreations(4);

        scene.cloud().allowServers(1);
        scene.cloud().claimToAllow(QuotaInformation.UNLIMITED);
        scene.zuul().awaitAnyAnswered(requests);
        scene.cloud().hold();
        scene.cloud().allowServers(3);

        scene.cloud().awaitServers(3);
    }

    @Test
    void of_two_waiting_requests_the_first_gets_the_room() {
        scene.cloud().allowServers(0);
        scene.launcher(Yaml.east("ignore-provider-quota: true"));
        String first = scene.zuul().request("small");
        scene.cloud().awaitCreations(1);
        String second = scene.zuul().request("small");
        scene.settle();

        scene.cloud().allowServers(1);
        List<LockedNode> used = scene.zuul().use(first);
        scene.settle();
        assertTrue(scene.zuul().isWaiting(second));

        scene.zuul().giveBack(used);
        scene.zuul().awaitNode(second);
    }

    @Test
    void a_full_pool_still_declines_what_it_can_never_serve() {
        LauncherProcess launcher = scene.launcher(Yaml.east("max-servers: 1"));
        scene.zuul().use(scene.zuul().request("small"));
        String waiting = scene.zuul().request("small");
        launcher.awaitDeferred(waiting, Code.QUOTA_FULL);

        scene.zuul().awaitFailed(scene.zuul().request("windows"));

        assertTrue(scene.zuul().isWaiting(waiting));
    }

    @Test
    void a_waiting_request_fails_when_the_pool_becomes_too_small_for_it() {
        LauncherProcess launcher = scene.launcher(Yaml.east("max-servers: 2"));
        scene.zuul().use(scene.zuul().request("small", "small"));
        String waiting = scene.zuul().request("small", "small");
        launcher.awaitDeferred(waiting, Code.QUOTA_FULL);

        launcher.configure(Yaml.east("max-servers: 1"));

        scene.zuul().awaitFailed(waiting);
    }

    @Test
    void a_waiting_request_that_is_declined_at_last_says_why() {
        LauncherProcess launcher = scene.launcher(Yaml.east("max-servers: 2"));
        scene.zuul().use(scene.zuul().request("small", "small"));
        String waiting = scene.zuul().request("small", "small");
        launcher.awaitDeferred(waiting, Code.QUOTA_FULL);

        launcher.configure(Yaml.east("max-servers: 1"));

        launcher.awaitDeclined(waiting, Code.EXCEEDS_QUOTA);
    }

    @Test
    void a_driver_that_fails_unexpectedly_fails_the_request_and_nothing_else() {
        scene.launcher(Yaml.east("max-servers: 1"));
        scene.cloud().failCreationsByBug(3);

        scene.zuul().awaitFailed(scene.zuul().request("small"));

        scene.zuul().awaitNode(scene.zuul().request("small"));
    }

    @Test
    void a_pool_full_of_unused_nodes_of_another_label_gives_one_up() {
        scene.launcher(twoLabels("max-servers: 1"));
        Node unused = scene.stock("one", 1).get(0);

        Node node = scene.zuul().awaitNode(scene.zuul().request("two"));

        assertEquals(List.of("two"), node.types());
        scene.awaitGone(unused.id());
    }

    @Test
    void only_one_unused_node_is_given_up_in_five_minutes() {
        LauncherProcess launcher = scene.launcher(twoLabels("max-servers: 3"));
        scene.stock("one", 3);
        scene.cloud().holdDeletions();

        String request = scene.zuul().request("two", "two");
        launcher.awaitDeferred(request, Code.QUOTA_FULL);
        scene.awaitNodes(1, NodeState.DELETING);
        scene.passTime(Duration.ofMinutes(4));
        assertEquals(
                2,
                Snapshots.inState(scene.until("anything", now -> true), NodeState.READY)
                        .size());

        scene.passTime(Duration.ofMinutes(2));
        scene.awaitNodes(2, NodeState.DELETING);
        scene.cloud().letDeletionsGo();
        scene.zuul().awaitNodes(request);
    }

    @Test
    void a_node_on_its_way_to_somebody_is_not_given_up() {
        LauncherProcess launcher = scene.launcher(twoLabels("max-servers: 1"));
        String owner = scene.zuul().request("one");
        Node theirs = scene.zuul().awaitNode(owner);

        String request = scene.zuul().request("two");
        launcher.awaitDeferred(request, Code.QUOTA_FULL);
        scene.settle();

        assertEquals(
                NodeState.READY, scene.awaitNode(theirs.id(), NodeState.READY).state());
    }

    @Test
    void a_request_for_stock_fails_at_a_full_pool_instead_of_waiting() {
        scene.launcher(Yaml.east("max-servers: 1"));
        scene.zuul().use(scene.zuul().request("small"));

        String stock = scene.zuul()
                .ask("small")
                .as(NodeRequest.MIN_READY)
                .priority("900")
                .withoutReuse()
                .submit();

        assertEquals(1, scene.zuul().awaitFailed(stock).declinedBy().size());
    }

    private static String twoLabels(String... poolLines) {
        return Yaml.labels("one", "two") + "providers:\n" + Yaml.provider("east", List.of("one", "two"), poolLines);
    }
}
