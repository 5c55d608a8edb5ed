package nodepool.driver.openstack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Step;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.openstack.AdapterScene.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of servers when the real services fail, as far as that can be brought about. */
class FaultsIT {

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
    void an_answer_that_is_lost_after_the_server_was_made_does_not_make_a_second_one() throws Exception {
        cloud.fault("""
                {"service": "compute", "method": "POST", "path": "/servers$", "status": 504, "when": "after", "count": 1}""");
        Run run = scene.create("0000000103", "small");
        assertEquals(List.of(run.instance().externalId()), run.externalIds());
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
    void a_full_quota_of_any_kind_is_known_as_such_before_and_after_the_service_has_said_yes() throws Exception {
        for (String kind : List.of("cores", "ram")) {
            int usual = scene.adapter.getQuotaLimits().of(kind) > 0 ? 16_384_000 : 0;
            cloud.computeQuota(Map.of(kind, 0));
            try {
                assertEquals(Fault.QUOTA, failure("0000000120", "small").fault(), kind);
            } finally {
                cloud.computeQuota(Map.of(kind, usual));
            }
        }
        for (String kind : List.of("volumes", "gigabytes")) {
            cloud.volumeQuota(Map.of(kind, 0));
            try {
                Run run = scene.create("0000000121", "volume");
                assertEquals(Fault.QUOTA, run.failure().orElseThrow().fault(), kind + " " + run);
                assertEquals(1, run.externalIds().size(), "the server was accepted first");
                scene.delete(run.externalIds().get(0));
            } finally {
                cloud.volumeQuota(Map.of(kind, 1000));
            }
        }
    }

    private CloudException failure(String node, String label) throws Exception {
        return scene.create(node, label).failure().orElseThrow();
    }

    @Test
    void a_server_that_is_made_after_a_long_silence_is_the_only_one() throws Exception {
        cloud.fault("""
                {"service": "compute", "method": "POST", "path": "/servers$", "delay": 12, "count": 1}""");
        try (AdapterScene impatient = impatient()) {
            Run run = impatient.create("0000000122", "small");
            assertEquals(List.of(run.instance().externalId()), run.externalIds());
            assertEquals(1, impatient.servers().size());
        }
    }

    @Test
    void a_silent_listing_ends_at_the_deadline_and_holds_up_no_server() throws Exception {
        try (AdapterScene impatient = impatient()) {
            impatient.adapter.listInstances();
            cloud.fault("""
                    {"service": "compute", "path": "/servers/detail", "delay": 30, "skip": 1, "count": 1}""");
            impatient.create("0000000123", "small").instance();
        }
    }

    /** Gives a call eight seconds only. */
    private AdapterScene impatient() throws Exception {
        return new AdapterScene(
                cloud,
                folder,
                "",
                "networks: [private]",
                "clouds: {nodepool: {api_timeout: 8, region_name: RegionOne}}");
    }

    @Test
    void a_failed_login_that_recovers_costs_nothing() throws Exception {
        cloud.fault("""
                {"service": "identity", "method": "POST", "path": "/auth/tokens", "status": 503, "count": 1}""");
        try (AdapterScene fresh = new AdapterScene(cloud, folder, "", "networks: [private]")) {
            assertThrows(CloudException.class, fresh.adapter::getQuotaLimits);
            assertEquals(1000, fresh.adapter.getQuotaLimits().of(QuotaInformation.INSTANCES));
        }
    }
}
