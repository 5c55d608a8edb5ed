package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.LockedNode;
import nodepool.api.verdict.Reason.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which of the waiting requests is served next. */
class PriorityTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    private static final String ONE_SERVER = Yaml.east("max-servers: 1");

    @Test
    void the_better_relative_priority_is_served_first_though_it_came_later() {
        String later = scene.zuul().ask("small").relativePriority(2).submit();
        String sooner = scene.zuul().ask("small").relativePriority(1).submit();

        scene.launcher(ONE_SERVER);

        assertServedInOrder(sooner, later);
    }

    @Test
    void the_priority_counts_more_than_the_relative_priority() {
        String low =
                scene.zuul().ask("small").priority("300").relativePriority(0).submit();
        String high =
                scene.zuul().ask("small").priority("100").relativePriority(9).submit();

        scene.launcher(ONE_SERVER);

        assertServedInOrder(high, low);
    }

    @Test
    void among_equals_the_oldest_is_served_first() {
        String first = scene.zuul().request("small");
        String second = scene.zuul().request("small");
        String third = scene.zuul().request("small");

        scene.launcher(ONE_SERVER);

        assertServedInOrder(first, second, third);
    }

    @Test
    void a_relative_priority_that_changes_while_waiting_counts() {
        LauncherProcess launcher = scene.launcher(ONE_SERVER);
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("small"));
        String next = scene.zuul().request("small");
        launcher.awaitDeferred(next, Code.QUOTA_FULL);
        String overtaken = scene.zuul().ask("small").relativePriority(5).submit();
        String raised = scene.zuul().ask("small").relativePriority(9).submit();
        launcher.awaitDeferred(raised, Code.POOL_PAUSED);

        scene.zuul().setRelativePriority(raised, 1);
        scene.zuul().giveBack(used);

        assertServedInOrder(next, raised, overtaken);
    }

    @Test
    void a_request_nobody_can_serve_does_not_hold_up_one_behind_it() {
        scene.cloud().hold();
        String nobodys = scene.zuul().ask("windows").relativePriority(0).submit();
        String servable = scene.zuul().ask("small").relativePriority(1).submit();

        scene.launcher(ONE_SERVER);

        scene.cloud().awaitServers(1);
        NodeRequest failed = scene.zuul().awaitFailed(nobodys);
        assertEquals(1, failed.declinedBy().size());
        scene.cloud().letGo();
        scene.zuul().awaitNode(servable);
    }

    @Test
    void a_request_that_is_deleted_while_it_waits_is_forgotten() {
        LauncherProcess launcher = scene.launcher(ONE_SERVER);
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("small"));
        String cancelled = scene.zuul().request("small");
        launcher.awaitDeferred(cancelled, Code.QUOTA_FULL);
        String next = scene.zuul().request("small");

        scene.zuul().delete(cancelled);
        scene.zuul().giveBack(used);

        scene.zuul().awaitNode(next);
        assertEquals(2, scene.cloud().creations());
    }

    /** Each is fulfilled while those after it still wait; its node makes room for the next. */
    private void assertServedInOrder(String... requests) {
        for (int i = 0; i < requests.length; i++) {
            scene.zuul().awaitNode(requests[i]);
            for (int j = i + 1; j < requests.length; j++) {
                assertTrue(scene.zuul().isWaiting(requests[j]), "request " + j + " waits while " + i + " is served");
            }
            scene.zuul().giveBack(scene.zuul().use(requests[i]));
        }
    }
}
