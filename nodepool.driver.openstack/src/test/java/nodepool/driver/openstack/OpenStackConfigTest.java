package nodepool.driver.openstack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.config.ConfigurationReader.Result;
import nodepool.api.quota.QuotaInformation;
import org.junit.jupiter.api.Test;

/** What the example with every key becomes. */
class OpenStackConfigTest {

    private final OpenStackConfig config = read("03-openstack-all-options.yaml", "polar-north");

    @Test
    void the_provider_has_what_is_written() {
        assertEquals("polar", config.cloud());
        assertEquals(Optional.of("north"), config.region());
        assertEquals(Duration.ofMillis(250), config.callInterval());
        assertEquals(Duration.ofMinutes(4), config.bootTimeout());
        assertEquals(Duration.ofMinutes(30), config.launchTimeout());
        assertEquals(5, config.launchRetries());
        assertEquals(
                new OpenStackConfig.Uploads(
                        "ci-{image_name}-{upload_id}-{timestamp}",
                        Duration.ofHours(2),
                        Optional.of("/usr/local/bin/check-image")),
                config.uploads());
        assertTrue(config.cleanFloatingIps());
        assertEquals(Duration.ZERO, config.portCleanupInterval());
        assertTrue(config.manageImages());
    }

    @Test
    void images_take_their_login_from_the_main_list_and_their_port_from_the_connection_type() {
        ProviderImage windows = config.diskImages().get(1);
        assertTrue(windows.paused());
        assertEquals(OptionalInt.of(5986), windows.connection().portNumber());
        assertEquals(Optional.of("ops"), windows.connection().username());
        assertEquals(Optional.of("C:/python/python.exe"), windows.connection().pythonPath());
        ProviderImage debian = config.diskImages().get(0);
        assertEquals(Map.of("hw_disk_bus", "scsi", "owner_team", "build"), debian.meta());
        assertEquals(Optional.of(true), debian.configDrive());
        assertEquals(OptionalInt.of(22), debian.connection().portNumber());
    }

    @Test
    void an_image_of_the_cloud_without_id_and_name_is_looked_up_by_its_own_name() {
        assertEquals(
                List.of("vendor-by-id", "Vendor 12 LTS", "Vendor 11 LTS"),
                config.cloudImages().stream().map(CloudImage::lookup).toList());
        assertEquals(
                Optional.of("8f3fbb1e-0000-4000-8000-000000000001"),
                config.cloudImages().get(0).id());
        assertEquals(
                OptionalInt.of(2222), config.cloudImages().get(1).connection().portNumber());
    }

    @Test
    void a_pool_has_limits_and_what_servers_need() {
        OpenStackPool pool = config.pools().get(0);
        assertEquals(OptionalInt.of(60), pool.maxServers());
        assertEquals(20, pool.priority());
        assertEquals(60, pool.limits().of(QuotaInformation.INSTANCES));
        assertEquals(983040, pool.limits().of(QuotaInformation.RAM));
        assertEquals(1200, pool.limits().of(QuotaInformation.VOLUME_GB));
        assertTrue(pool.ignoreProviderQuota());
        assertFalse(pool.autoFloatingIp());
        assertEquals(List.of("az-red", "az-blue"), pool.zones());
        assertEquals(List.of("ci-ingress"), pool.securityGroups());
        assertEquals(100, config.pools().get(1).priority());
        assertEquals(Double.POSITIVE_INFINITY, config.pools().get(1).limits().of(QuotaInformation.CORES));
    }

    @Test
    void a_label_has_its_own_networks_and_key_checking_or_the_pools() {
        OpenStackLabel own = config.pools().get(0).labels().get(0);
        assertEquals(List.of("ci-net"), own.networks());
        assertFalse(own.hostKeyChecking());
        assertEquals(OptionalInt.of(120), own.volumeSize());
        assertEquals(Optional.of("ci-emergency"), own.keyName());
        assertEquals(new OpenStackLabel.Flavor(OptionalInt.of(16384), Optional.of("compute")), own.flavor());
        assertEquals(
                "request {request.id} of {request.tenant_name}",
                own.dynamicProperties().get("asked_by"));
        OpenStackLabel pools = config.pools().get(0).labels().get(1);
        assertEquals(List.of("ci-net", "storage-net"), pools.networks());
        assertTrue(pools.hostKeyChecking());
        assertEquals(OptionalInt.empty(), pools.volumeSize());
    }

    @Test
    void the_same_file_read_twice_gives_equal_values() {
        assertEquals(config, read("03-openstack-all-options.yaml", "polar-north"));
    }

    @Test
    void fields_of_templates_are_found_whatever_their_form() {
        assertEquals(
                List.of("a", "request.b"),
                Template.of("{a:0>8}-{{no}}-{request.b!s}").fields());
        assertTrue(Template.of("{a").broken());
        assertFalse(Template.of("{{a}}").broken());
    }

    private static OpenStackConfig read(String file, String provider) {
        Result result = Examples.read(file);
        return (OpenStackConfig) result.configuration()
                .flatMap(found -> found.provider(provider))
                .flatMap(entry -> entry.config())
                .orElseThrow(() -> new AssertionError(result.problems().toString()));
    }
}
