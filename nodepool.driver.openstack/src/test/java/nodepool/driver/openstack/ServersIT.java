package nodepool.driver.openstack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Step;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.openstack.AdapterScene.Run;
import nodepool.driver.openstack.cloud.Server;
import nodepool.driver.openstack.clouds.Service;
import nodepool.driver.openstack.http.Call;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers of the real compute service, as they should be. */
class ServersIT {

    @TempDir
    Path folder;

    private RealCloud cloud;
    private AdapterScene scene;

    @BeforeEach
    void open() throws Exception {
        cloud = RealCloud.get();
        cloud.noFaults();
        scene = new AdapterScene(cloud, folder, "", "networks: [private]\nsecurity-groups: [ssh]");
    }

    @AfterEach
    void nothing_is_left() throws Exception {
        cloud.noFaults();
        scene.clear();
        scene.close();
    }

    @Test
    void a_server_has_what_its_label_says_and_is_gone_with_its_floating_ip() throws Exception {
        Run run = scene.create("0000000101", "small");
        Instance instance = run.instance();
        assertEquals(List.of(instance.externalId()), run.externalIds());
        Server server = scene.compute.server(instance.externalId()).orElseThrow();
        assertEquals("np0000000101", server.name());
        assertEquals(
                Map.of(
                        "groups", "real,base,small",
                        "nodepool_image_name", "base",
                        "nodepool_node_label", "small",
                        "nodepool_node_id", "0000000101",
                        "nodepool_pool_name", "main",
                        "nodepool_provider_name", "real",
                        "prop", "yes-please",
                        "asked", "100-0000000001 of None"),
                server.metadata());
        assertEquals(Optional.of("nodepool"), instance.place().cloud());
        assertTrue(instance.place().az().orElse("").startsWith("az-"));
        assertTrue(instance.addresses().privateIpv4().orElse("").startsWith("127.64."));
        assertTrue(instance.addresses().publicIpv4().orElse("").startsWith("127.65."));
        assertEquals(instance.addresses().publicIpv4(), instance.addresses().interfaceIp());
        assertTrue(instance.addresses().publicIpv6().orElse("").startsWith("fd64:"));
        assertEquals(Optional.of(QuotaInformation.needs(1, 1, 2048)), instance.quota());
        assertEquals(
                instance.addresses().publicIpv6(),
                new AddressChoice(
                                scene.config.chosen().settings().orElseThrow().networks(),
                                scene.networking.networks(),
                                true)
                        .choose(server, Optional.empty())
                        .interfaceIp(),
                "with a way to version 6 that is where it is reached");
        JsonNode asShown = scene.bare
                .call(Call.get(Service.COMPUTE, "/servers/" + server.id()))
                .body()
                .path("server");
        assertEquals("nodepool", asShown.path("key_name").asText());
        assertEquals("ssh", asShown.path("security_groups").path(0).path("name").asText());

        assertInstanceOf(
                Step.Gone.class, scene.delete(instance.externalId()).last().orElseThrow());
        assertEquals(List.of(), scene.servers());
        assertEquals(List.of(), scene.networking.floatingIps());
    }

    @Test
    void a_server_on_a_volume_counts_its_volume_and_takes_it_along() throws Exception {
        Instance instance = scene.create("0000000102", "volume").instance();
        QuotaInformation use = instance.quota().orElseThrow();
        assertEquals(1, use.of(QuotaInformation.VOLUMES));
        assertEquals(2, use.of(QuotaInformation.VOLUME_GB));
        scene.delete(instance.externalId());
        assertEquals(List.of(), scene.volumes.volumes());
    }

    @Test
    void several_servers_at_once_all_arrive() throws Exception {
        List<CompletableFuture<Run>> runs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            runs.add(scene.begin(
                    scene.adapter.getCreateStateMachine(scene.launch("000000020" + i, "small"), Optional.of("az-b"))));
        }
        for (CompletableFuture<Run> run : runs) {
            assertEquals(
                    Optional.of("az-b"), scene.await(run).instance().place().az());
        }
        assertEquals(5, scene.servers().size());
    }

    @Test
    void whoever_goes_on_after_a_crash_finds_the_server() throws Exception {
        Step marked = scene.adapter
                .getCreateStateMachine(scene.launch("0000000104", "small"), Optional.empty())
                .advance(Map.of());
        Map<String, String> memo = ((Step.Again) marked).memo();
        Step made = scene.adapter
                .getCreateStateMachine(scene.launch("0000000104", "small"), Optional.empty())
                .advance(memo);
        try (AdapterScene other = new AdapterScene(cloud, folder, "", "networks: [private]")) {
            Step found = other.adapter
                    .getCreateStateMachine(other.launch("0000000104", "small"), Optional.empty())
                    .advance(memo);
            assertEquals(((Step.Again) made).externalId(), ((Step.Again) found).externalId());
        }
        assertEquals(1, scene.servers().size());
    }

    @Test
    void removing_what_is_not_there_is_done_at_once() throws Exception {
        assertInstanceOf(
                Step.Gone.class,
                scene.delete("11111111-1111-4111-8111-111111111111").last().orElseThrow());
    }

    @Test
    void what_the_cloud_does_not_have_is_named() throws Exception {
        refuses("lost-image", Optional.empty(), Fault.NO_IMAGE, "Unable to find cloud image nobody-knows");
        refuses("lost-flavor", Optional.empty(), Fault.BAD_REQUEST, "Unable to find flavor");
        refuses("lost-network", Optional.empty(), Fault.BAD_REQUEST, "Unable to find network nowhere");
        refuses("small", Optional.of("az-none"), Fault.BAD_REQUEST, "availability zone");
        assertEquals(List.of(), scene.servers());
        OpenStackPool pool = scene.config.pools().get(0);
        assertEquals(
                List.of(true, true, true, false, true),
                pool.labels().stream().limit(5).map(this::ready).toList());
        CloudException unknown = assertThrows(
                CloudException.class,
                () -> scene.adapter.getQuotaForLabel(pool.label("lost-flavor").orElseThrow()));
        assertTrue(unknown.getMessage().contains("label lost-flavor"), unknown.getMessage());
        assertEquals(
                QuotaInformation.needs(2, 1, 4096),
                scene.adapter.getQuotaForLabel(pool.labels().get(4)));
    }

    private void refuses(String label, Optional<String> zone, Fault fault, String words) throws Exception {
        CloudException failure = scene.await(
                        scene.begin(scene.adapter.getCreateStateMachine(scene.launch("0000000116", label), zone)))
                .failure()
                .orElseThrow();
        assertTrue(failure.getMessage().contains(words), failure.getMessage());
        assertEquals(fault, failure.fault(), failure.getMessage());
    }

    private boolean ready(OpenStackLabel label) {
        try {
            return scene.adapter.labelReady(label);
        } catch (CloudException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void zones_limits_and_the_console_are_read() throws Exception {
        assertEquals(
                List.of("az-a", "az-b"),
                scene.adapter.getAZs().stream().sorted().toList());
        assertEquals(1000, scene.adapter.getQuotaLimits().of(QuotaInformation.INSTANCES));
        assertTrue(scene.adapter.getQuotaLimits().of(QuotaInformation.VOLUMES) > 0);
        Instance instance = scene.create("0000000117", "small").instance();
        assertTrue(
                scene.adapter.getConsoleLog(instance.externalId()).orElseThrow().contains("FAKE CONSOLE OUTPUT"));
    }
}
