package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.ProviderMark;
import nodepool.api.verdict.Reason.Code;
import nodepool.api.verdict.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Providers that an operator has paused or drains. */
class OperatorMarksTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_request_waits_while_its_provider_is_paused_and_says_so() {
        LauncherProcess launcher = scene.launcher(Yaml.east());
        mark(ProviderMark.PAUSED);

        String request = scene.zuul().request("small");

        launcher.awaitDeferred(request, Code.PROVIDER_PAUSED);
        scene.awaitAccounts(
                request,
                "paused by operator",
                accounts -> accounts.stream()
                        .anyMatch(account -> account.verdict() instanceof Verdict.Defer defer
                                && defer.until().detail().equals("provider east paused by operator")));
        assertEquals(0, scene.cloud().creations());

        Bell.await(scene.stores().providerMarks().clear("east"));
        scene.zuul().awaitNode(request);
    }

    @Test
    void what_is_in_hand_goes_on_when_the_provider_is_paused() {
        scene.launcher(Yaml.east());
        scene.cloud().hold();
        String request = scene.zuul().request("small");
        scene.cloud().awaitServers(1);

        mark(ProviderMark.PAUSED);
        scene.settle();
        scene.cloud().letGo();

        scene.zuul().awaitNode(request);
    }

    @Test
    void another_provider_serves_even_if_the_paused_one_is_preferred() {
        scene.launcher(Yaml.labels("small")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"), "priority: 1")
                + Yaml.provider("west", List.of("small"), "priority: 2"));
        mark(ProviderMark.PAUSED);

        assertTrue(scene.zuul().awaitNode(scene.zuul().request("small")).isIn("west", "main"));
    }

    @Test
    void a_paused_provider_is_still_paused_after_a_restart() {
        scene.launcher(Yaml.east()).stop();
        Bell.await(scene.stores().providerMarks().mark("east", ProviderMark.PAUSED));

        LauncherProcess next = scene.launcher(Yaml.east());

        next.awaitDeferred(scene.zuul().request("small"), Code.PROVIDER_PAUSED);
    }

    @Test
    void a_drained_provider_loses_its_stock_at_once_and_other_nodes_when_they_are_given_back() {
        scene.launcher(Yaml.east());
        String free = scene.stock("small", 1).get(0).id();
        List<LockedNode> used =
                scene.zuul().use(scene.zuul().ask("small").withoutReuse().submit());
        String inUse = used.get(0).node().id();

        mark(ProviderMark.DRAINED);

        scene.awaitGone(free);
        scene.settle();
        assertEquals(
                List.of(inUse),
                scene.until("nodes", now -> true).nodes().stream()
                        .filter(node -> node.state() == NodeState.IN_USE)
                        .map(node -> node.id())
                        .toList());
        scene.zuul().giveBack(used);
        scene.until("nothing is left", now -> now.nodes().isEmpty());
        assertEquals(0, scene.cloud().servers().size());
    }

    @Test
    void a_drained_provider_gives_back_requests_that_wait_for_room_in_it() {
        LauncherProcess launcher = scene.launcher(Yaml.east("max-servers: 1"));
        scene.zuul().use(scene.zuul().request("small"));
        String waiting = scene.zuul().request("small");
        launcher.awaitDeferred(waiting, Code.QUOTA_FULL);

        mark(ProviderMark.DRAINED);

        launcher.awaitDeferred(waiting, Code.PROVIDER_PAUSED);
        assertTrue(scene.zuul().isWaiting(waiting));
    }

    @Test
    void a_drained_provider_keeps_no_stock() {
        scene.launcher(
                Yaml.labels("{name: small, min-ready: 1}") + "providers:\n" + Yaml.provider("east", List.of("small")));
        scene.awaitNodes(1, NodeState.READY);

        mark(ProviderMark.DRAINED);

        scene.until("no node", now -> now.nodes().isEmpty());
        scene.settle();
        scene.until(
                "no request for stock",
                now -> now.requests().isEmpty() && now.nodes().isEmpty());
    }

    private void mark(ProviderMark mark) {
        Bell.await(scene.stores().providerMarks().mark("east", mark));
        scene.until("the mark", now -> now.mark("east").isPresent());
        scene.until(
                "pools are shown as paused",
                now -> now.components().stream()
                        .flatMap(component -> component.pool().stream())
                        .filter(pool -> pool.provider().equals("east"))
                        .allMatch(pool -> pool.paused()));
    }
}
