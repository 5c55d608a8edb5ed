package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import nodepool.api.node.NodeState;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.verdict.Reason.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a tenant may have altogether. Every limit fits two nodes of {@code small}. */
class TenantLimitTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @ParameterizedTest
    @ValueSource(strings = {"max-cores: 8", "max-servers: 2", "max-ram: 16384", "max-volumes: 2", "max-volume-gb: 20"})
    void a_tenant_at_its_limit_waits_while_others_are_served(String limit) {
        LauncherProcess launcher = scene.launcher(configuration(limit));
        List<LockedNode> used = scene.zuul().use(ask("tenant-1", 2));

        String over = ask("tenant-1", 2);
        launcher.awaitDeferred(over, Code.TENANT_LIMIT);
        scene.zuul().awaitNodes(ask("tenant-2", 4));
        assertEquals(
                RequestState.REQUESTED,
                scene.zuul().awaitState(over, RequestState.REQUESTED).state());

        scene.zuul().giveBack(used);
        scene.zuul().awaitNodes(over);
    }

    @Test
    void a_tenant_at_its_limit_gets_no_ready_node_either() {
        String min = Yaml.labels("{name: small, min-ready: 8}")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.tenant("tenant-1", "max-servers: 2");
        LauncherProcess launcher = scene.launcher(min);
        scene.awaitNodes(8, NodeState.READY);
        List<LockedNode> used = scene.zuul().use(ask("tenant-1", 2));

        String over = ask("tenant-1", 1);
        launcher.awaitDeferred(over, Code.TENANT_LIMIT);
        scene.zuul().awaitNodes(ask("tenant-2", 2));
        scene.zuul().awaitState(over, RequestState.REQUESTED);

        scene.zuul().giveBack(used);
        scene.zuul().awaitNodes(over);
    }

    @Test
    void the_limit_holds_for_requests_that_come_at_the_same_time() {
        scene.cloud().hold();
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            requests.add(ask("tenant-1", 1));
        }

        LauncherProcess launcher = scene.launcher(configuration("max-servers: 2"));

        launcher.awaitDeferred(requests.get(5), Code.TENANT_LIMIT);
        scene.cloud().awaitServers(2);
        scene.settle();
        assertEquals(2, scene.cloud().creations());
    }

    @Test
    void a_large_request_is_not_passed_for_ever_by_small_ones_of_its_tenant() {
        LauncherProcess launcher = scene.launcher(configuration("max-servers: 2"));
        List<LockedNode> first = scene.zuul().use(ask("tenant-1", 1));
        List<LockedNode> second = scene.zuul().use(ask("tenant-1", 1));
        String large = ask("tenant-1", 2);
        launcher.awaitDeferred(large, Code.TENANT_LIMIT);
        String small = ask("tenant-1", 1);
        launcher.awaitDeferred(small, Code.TENANT_LIMIT);

        scene.zuul().giveBack(first);
        scene.settle();
        scene.zuul().awaitState(small, RequestState.REQUESTED);

        scene.zuul().giveBack(second);
        scene.zuul().giveBack(scene.zuul().use(large));
        scene.zuul().awaitNodes(small);
    }

    @Test
    void a_large_request_is_not_passed_for_ever_by_small_ones_that_another_pool_serves() {
        LauncherProcess launcher = scene.launcher(Yaml.labels("small", "metal")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"))
                + Yaml.provider("west", List.of("metal"))
                + Yaml.tenant("tenant-1", "max-servers: 2"));
        List<LockedNode> first = scene.zuul().use(ask("tenant-1", 1));
        List<LockedNode> second = scene.zuul().use(ask("tenant-1", 1));
        String large = scene.zuul().ask("metal", "metal").forTenant("tenant-1").submit();
        launcher.awaitDeferred(large, Code.TENANT_LIMIT);
        String small = ask("tenant-1", 1);
        launcher.awaitDeferred(small, Code.TENANT_LIMIT);

        scene.zuul().giveBack(first);
        scene.settle();
        scene.zuul().awaitState(small, RequestState.REQUESTED);

        scene.zuul().giveBack(second);
        scene.zuul().giveBack(scene.zuul().use(large));
        scene.zuul().awaitNodes(small);
    }

    @Test
    void a_request_above_its_tenants_limit_keeps_nobody_waiting() {
        LauncherProcess launcher = scene.launcher(configuration("max-servers: 2"));
        launcher.awaitDeferred(ask("tenant-1", 3), Code.TENANT_LIMIT);
        scene.zuul().awaitNodes(ask("tenant-1", 2));
    }

    @Test
    void a_changed_limit_counts_at_once() {
        LauncherProcess launcher = scene.launcher(configuration("max-servers: 1"));
        String request = ask("tenant-1", 2);
        launcher.awaitDeferred(request, Code.TENANT_LIMIT);

        launcher.configure(configuration("max-servers: 2"));

        scene.zuul().awaitNodes(request);
    }

    private String ask(String tenant, int nodes) {
        return scene.zuul()
                .ask(Collections.nCopies(nodes, "small").toArray(String[]::new))
                .forTenant(tenant)
                .submit();
    }

    private static String configuration(String limit) {
        return Yaml.labels("small")
                + "providers:\n"
                + Yaml.provider("east", List.of("{name: small, volume-gb: 10}"))
                + Yaml.tenant("tenant-1", limit);
    }
}
