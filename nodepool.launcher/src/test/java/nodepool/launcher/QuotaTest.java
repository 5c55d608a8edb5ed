package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.store.LockedNode;
import nodepool.api.verdict.Reason.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Room in pools and clouds. Every limit fits two nodes of {@code small}: 4 cores, 8192 MiB, a volume of 10 GB. */
class QuotaTest {

    private static final String LABEL = "{name: small, volume-gb: 10}";

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @ParameterizedTest
    @ValueSource(strings = {"max-cores: 8", "max-servers: 2", "max-ram: 16384", "max-volumes: 2", "max-volume-gb: 20"})
    void a_request_waits_until_the_pool_has_room_for_all_its_nodes(String limit) {
        assertWaitsForRoom(scene.launcher(configuration(limit)));
    }

    @ParameterizedTest
    @CsvSource({"cores,8", "instances,2", "ram,16384", "volumes,2", "volume-gb,20"})
    void a_request_waits_until_the_cloud_has_room_for_all_its_nodes(String resource, double limit) {
        scene.cloud().allow(QuotaInformation.limits(Map.of(resource, limit)));
        assertWaitsForRoom(scene.launcher(configuration()));
    }

    private void assertWaitsForRoom(LauncherProcess launcher) {
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("small", "small"));
        String second = scene.zuul().request("small", "small");
        launcher.awaitDeferred(second, Code.QUOTA_FULL);
        assertEquals(2, scene.cloud().servers().size());

        scene.zuul().giveBack(used.get(0));
        scene.awaitGone(used.get(0).node().id());
        scene.settle();
        assertTrue(scene.zuul().isWaiting(second));

        scene.zuul().giveBack(used.get(1));
        assertEquals(2, scene.zuul().awaitNodes(second).size());
        assertEquals(4, scene.cloud().creations());
    }

    @ParameterizedTest
    @ValueSource(strings = {"max-cores: 7", "max-servers: 1", "max-ram: 16383", "max-volumes: 1", "max-volume-gb: 19"})
    void a_request_that_never_fits_its_pool_fails(String limit) {
        LauncherProcess launcher = scene.launcher(configuration(limit));

        String request = scene.zuul().request("small", "small");

        scene.zuul().awaitFailed(request);
        launcher.awaitDeclined(request, Code.EXCEEDS_QUOTA);
        assertEquals(0, scene.cloud().creations());
    }

    @Test
    void a_request_that_never_fits_its_cloud_fails() {
        scene.cloud().allow(QuotaInformation.limits(Map.of(QuotaInformation.CORES, 0.0)));
        LauncherProcess launcher = scene.launcher(configuration());

        String request = scene.zuul().request("small");

        scene.zuul().awaitFailed(request);
        launcher.awaitDeclined(request, Code.EXCEEDS_QUOTA);
    }

    @Test
    void a_pool_that_ignores_the_clouds_quota_goes_by_its_own_limits_only() {
        scene.cloud().claimToAllow(QuotaInformation.limits(Map.of(QuotaInformation.CORES, 0.0)));
        LauncherProcess launcher = scene.launcher(configuration("ignore-provider-quota: true", "max-servers: 1"));
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("small"));

        String second = scene.zuul().request("small");
        launcher.awaitDeferred(second, Code.QUOTA_FULL);
        String tooBig = scene.zuul().request("small", "small");
        scene.zuul().awaitFailed(tooBig);
        assertTrue(scene.zuul().isWaiting(second));
        scene.zuul().giveBack(used);

        scene.zuul().awaitNode(second);
    }

    @Test
    void servers_of_others_take_room_in_the_cloud() {
        scene.cloud().allowServers(2);
        scene.cloud().makeForeign(Map.of(), QuotaInformation.needs(1, 1, 1));
        LauncherProcess launcher = scene.launcher(configuration());
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("small"));

        String second = scene.zuul().request("small");
        launcher.awaitDeferred(second, Code.QUOTA_FULL);

        assertEquals(1, scene.cloud().creations());
        scene.zuul().giveBack(used);
        scene.zuul().awaitNode(second);
    }

    @Test
    void nodes_on_hold_and_nodes_being_deleted_take_room() {
        LauncherProcess launcher = scene.launcher(configuration("max-servers: 2"));
        List<LockedNode> used = scene.zuul().use(scene.zuul().request("small", "small"));
        scene.cloud().holdDeletions();
        scene.zuul().release(used.get(0), NodeState.HOLD);
        scene.zuul().giveBack(used.get(1));
        scene.awaitNode(used.get(1).node().id(), NodeState.DELETING);

        String next = scene.zuul().request("small");
        launcher.awaitDeferred(next, Code.QUOTA_FULL);
        scene.settle();
        assertEquals(2, scene.cloud().creations());

        scene.cloud().letDeletionsGo();
        scene.zuul().awaitNode(next);
    }

    @Test
    void a_burst_never_exceeds_the_pool() {
        scene.cloud().hold();
        scene.launcher(configuration("max-servers: 5"));
        for (int i = 0; i < 20; i++) {
            scene.zuul().request("small");
        }

        scene.cloud().awaitServers(5);
        scene.settle();

        assertEquals(5, scene.cloud().creations());
    }

    @Test
    void a_label_the_cloud_refuses_for_ever_is_declined_and_harms_no_other() {
        LauncherProcess launcher = scene.launcher(Yaml.labels("small", "odd")
                + "providers:\n"
                + Yaml.provider("east", List.of("small", "{name: odd, broken: true}")));

        String odd = scene.zuul().request("odd");
        String good = scene.zuul().request("small");

        scene.zuul().awaitFailed(odd);
        launcher.awaitDeclined(odd, Code.LABEL_UNKNOWN);
        scene.zuul().awaitNode(good);
    }

    private static String configuration(String... poolLines) {
        return Yaml.labels("small") + "providers:\n" + Yaml.provider("east", List.of(LABEL), poolLines);
    }
}
