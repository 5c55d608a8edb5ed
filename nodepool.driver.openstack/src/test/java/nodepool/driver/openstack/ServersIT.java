package nodepool.driver.openstack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Step;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.openstack.AdapterScene.Run;
import nodepool.driver.openstack.cloud.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers of the real compute service, as they should be and with every fault that can be made. */
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
    void an_answer_that_is_lost_after_the_server_was_made_does_not_make_a_second_one() throws Exception {
        cloud.fault("""
                {"service": "compute", "method": "POST", "path": "/servers$", "status": 504, "when": "after", "count": 1}""");
        Run run = scene.create("0000000103", "small");
        assertEquals(List.of(run.instance().externalId()), run.externalIds());
        assertEquals(1, scene.servers().size());
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
    void a_server_in_error_fails_with_the_clouds_own_words_and_can_be_removed() throws Exception {
        cloud.fault("""
                {"service": "hypervisor", "op": "spawn", "error": true, "message": "disk on fire", "count": 1}""");
        Run run = scene.create("0000000105", "small");
        assertEquals(Fault.MACHINE_FAILED, run.failure().orElseThrow().fault());
        assertTrue(run.failure().orElseThrow().getMessage().contains("ended in status ERROR"), run.toString());
        assertEquals(1, run.externalIds().size());
        scene.delete(run.externalIds().get(0));
        assertEquals(List.of(), scene.servers());
    }

    @Test
    void no_room_in_the_cloud_is_told_from_a_full_quota() throws Exception {
        Run run = scene.create("0000000106", "noroom");
        assertEquals(Fault.CAPACITY, run.failure().orElseThrow().fault());
    }

    @Test
    void a_full_quota_of_servers_or_ports_is_known_as_such() throws Exception {
        cloud.computeQuota(Map.of("instances", 0));
        try {
            assertEquals(
                    Fault.QUOTA,
                    scene.create("0000000107", "small").failure().orElseThrow().fault());
            assertEquals(0, scene.adapter.getQuotaLimits().of(QuotaInformation.INSTANCES));
        } finally {
            cloud.computeQuota(Map.of("instances", 1000));
        }
        cloud.networkQuota(Map.of("port", 0));
        try {
            assertEquals(
                    Fault.QUOTA,
                    scene.create("0000000108", "small").failure().orElseThrow().fault());
        } finally {
            cloud.networkQuota(Map.of("port", 10_000));
        }
    }

    @Test
    void a_full_quota_of_floating_ips_is_known_as_such_and_leaves_the_server_to_be_removed() throws Exception {
        cloud.networkQuota(Map.of("floatingip", 0));
        try {
            Run run = scene.create("0000000109", "small");
            assertEquals(Fault.QUOTA, run.failure().orElseThrow().fault());
            assertEquals(1, run.externalIds().size());
        } finally {
            cloud.networkQuota(Map.of("floatingip", 500));
        }
    }

    @Test
    void a_token_refused_in_mid_flight_is_replaced() throws Exception {
        cloud.fault("""
                {"service": "compute", "method": "POST", "path": "/servers$", "status": 401, "count": 1}""");
        scene.create("0000000110", "small").instance();
    }

    @Test
    void errors_of_listings_do_not_fail_a_launch_that_has_a_usable_list() throws Exception {
        scene.adapter.listInstances();
        cloud.fault("""
                {"service": "compute", "path": "/servers/detail", "status": 500, "skip": 2, "count": 2}""");
        scene.create("0000000111", "small").instance();
    }

    @Test
    void too_many_requests_say_when_to_come_back() throws Exception {
        cloud.fault("""
                {"service": "compute", "method": "POST", "path": "/servers$", "status": 429, "count": 1,
                 "headers": {"Retry-After": "3"}}""");
        Run run = scene.create("0000000112", "small");
        assertEquals(Fault.RATE_LIMIT, run.failure().orElseThrow().fault());
        assertEquals(
                Optional.of(Duration.ofSeconds(3)), run.failure().orElseThrow().retryAfter());
    }

    @Test
    void a_server_error_without_a_server_is_asked_again_after_a_search() throws Exception {
        cloud.fault("""
                {"service": "compute", "method": "POST", "path": "/servers$", "status": 500, "count": 1}""");
        Run run = scene.create("0000000113", "small");
        assertEquals(List.of(run.instance().externalId()), run.externalIds());
        assertEquals(1, scene.servers().size());
    }

    @Test
    void a_lost_answer_about_a_floating_ip_does_not_make_a_second_one() throws Exception {
        cloud.fault("""
                {"service": "network", "method": "POST", "path": "/floatingips$", "status": 504, "when": "after", "count": 1}""");
        Run failed = scene.create("0000000114", "small");
        Step again = scene.adapter
                .getCreateStateMachine(scene.launch("0000000114", "small"), Optional.empty())
                .advance(Map.of("server", failed.externalIds().get(0)));
        assertEquals(1, scene.networking.floatingIps().size(), again.toString());
    }

    @Test
    void a_removal_that_fails_is_asked_for_again() throws Exception {
        Instance instance = scene.create("0000000115", "small").instance();
        cloud.fault("""
                {"service": "hypervisor", "op": "destroy", "error": true, "message": "stuck", "count": 1}""");
        assertInstanceOf(
                Step.Gone.class, scene.delete(instance.externalId()).last().orElseThrow());
        assertEquals(List.of(), scene.servers());
    }

    @Test
    void removing_what_is_not_there_is_done_at_once() throws Exception {
        assertInstanceOf(
                Step.Gone.class,
                scene.delete("11111111-1111-4111-8111-111111111111").last().orElseThrow());
    }

    @Test
    void what_the_cloud_does_not_have_is_named() throws Exception {
        assertTrue(scene.create("0000000116", "lost-image")
                .failure()
                .orElseThrow()
                .getMessage()
                .contains("nobody-knows"));
        OpenStackPool pool = scene.config.pools().get(0);
        assertEquals(
                List.of(true, true, true, false, true),
                pool.labels().stream().map(this::ready).toList());
        assertEquals(
                QuotaInformation.needs(2, 1, 4096),
                scene.adapter.getQuotaForLabel(pool.labels().get(4)));
    }

    private boolean ready(OpenStackLabel label) {
        try {
            return scene.adapter.labelReady(label);
        } catch (nodepool.api.driver.CloudException e) {
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
