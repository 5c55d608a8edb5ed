package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.verdict.Reason.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Launches at the same time, and requests beside each other. */
class ConcurrencyTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_request_waits_while_as_many_launches_are_under_way_as_allowed() {
        LauncherProcess launcher = scene.launcher(Yaml.inProviders("max-concurrency: 1", Yaml.east()));
        scene.cloud().hold();
        String first = scene.zuul().request("small");
        scene.cloud().awaitServers(1);

        String second = scene.zuul().request("small");
        launcher.awaitDeferred(second, Code.MAX_CONCURRENCY);
        scene.settle();
        assertEquals(1, scene.cloud().creations());

        scene.cloud().letGo();
        scene.zuul().awaitNode(first);
        scene.zuul().awaitNode(second);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void without_a_limit_all_launches_run_at_the_same_time(int unlimited) {
        scene.launcher(Yaml.inProviders("max-concurrency: " + unlimited, Yaml.east()));
        scene.cloud().hold();
        for (int i = 0; i < 10; i++) {
            scene.zuul().request("small");
        }

        scene.cloud().awaitServers(10);
    }

    @Test
    void ready_nodes_are_handed_out_while_the_pool_waits_for_launches() {
        scene.launcher(Yaml.east());
        String ready = scene.stock("small", 1).get(0).id();
        scene.cloud().hold();
        String building = scene.zuul().ask("small").withoutReuse().submit();
        scene.cloud().awaitServers(2);

        assertEquals(
                ready, scene.zuul().awaitNode(scene.zuul().request("small")).id());
        assertEquals(
                RequestState.PENDING,
                scene.zuul().awaitState(building, RequestState.PENDING).state());
    }

    @Test
    void a_low_priority_does_not_starve_behind_a_stream_of_high_ones() {
        scene.launcher(Yaml.east("max-servers: 1"));
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("small"));
        String low = scene.zuul().ask("small").priority("300").submit();
        List<String> high = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            high.add(scene.zuul().ask("small").priority("100").submit());
        }
        scene.zuul().giveBack(used);

        List<String> waiting = new ArrayList<>(high);
        waiting.add(low);
        int passedBy = 0;
        for (String next = ""; !next.equals(low); passedBy++) {
            next = scene.zuul().awaitAnyAnswered(waiting);
            waiting.remove(next);
            scene.zuul().giveBack(scene.zuul().use(next));
        }

        assertTrue(passedBy <= 20, "passed by " + passedBy);
    }

    @Test
    void a_large_request_is_not_passed_for_ever_by_small_ones() {
        scene.launcher(Yaml.east("max-servers: 4"));
        List<LockedNode> used = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            used.addAll(scene.zuul().use(scene.zuul().request("small")));
        }
        String large = scene.zuul().request("small", "small", "small", "small");
        List<String> small = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            small.add(scene.zuul().request("small"));
        }
        scene.settle();

        used.forEach(scene.zuul()::giveBack);

        scene.zuul().giveBack(scene.zuul().use(large));
        small.forEach(request -> scene.zuul().giveBack(scene.zuul().use(request)));
    }

    @Test
    void a_cloud_that_is_down_for_an_hour_harms_only_what_it_should_serve() {
        scene.launcher(Yaml.labels("small", "large")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.provider("west", List.of("large")));
        scene.cloud("west").goDown();
        scene.zuul().request("large");

        scene.passTime(Duration.ofHours(1));

        scene.zuul().awaitNode(scene.zuul().request("small"));
    }
}
