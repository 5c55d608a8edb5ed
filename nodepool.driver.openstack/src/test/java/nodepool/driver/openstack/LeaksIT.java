package nodepool.driver.openstack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.Launch;
import nodepool.api.event.Event;
import nodepool.driver.openstack.cloud.Networking;
import nodepool.driver.openstack.clouds.Service;
import nodepool.driver.openstack.http.Call;
import nodepool.driver.statemachine.Resource;
import nodepool.testkit.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left behind in the real services is found and removed, and what is others' is left alone. */
class LeaksIT {

    @TempDir
    Path folder;

    private RealCloud cloud;
    private AdapterScene scene;

    @BeforeEach
    void open() throws Exception {
        cloud = RealCloud.get();
        cloud.noFaults();
        scene = new AdapterScene(cloud, folder, "clean-floating-ips: true", "networks: [private]");
    }

    @AfterEach
    void nothing_is_left() throws Exception {
        cloud.noFaults();
        scene.clear();
        scene.close();
    }

    @Test
    void servers_and_floating_ips_say_whose_they_are_and_can_be_removed() throws Exception {
        scene.create("0000000301", "small").instance();
        List<Resource> found = scene.adapter.listResources();
        assertEquals(
                List.of("instance", "floatingip"),
                found.stream().map(Resource::type).toList());
        for (Resource one : found) {
            assertEquals("0000000301", one.metadata().get(Launch.NODE_ID));
            assertEquals("real", one.metadata().get(Launch.PROVIDER_NAME));
        }
        scene.adapter.deleteResource(found.get(1));
        assertEquals(List.of(), scene.networking.floatingIps());
        scene.adapter.deleteResource(found.get(0));
        scene.delete(found.get(0).id());
        assertEquals(List.of(), scene.servers());
    }

    @Test
    void a_floating_ip_that_leads_nowhere_is_removed_if_configured() throws Exception {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putObject("floatingip").put("floating_network_id", network("public"));
        scene.bare.call(Call.post(Service.NETWORK, "/floatingips", body));
        assertEquals(1, scene.networking.floatingIps().size());
        String id = scene.networking.floatingIps().get(0).id();
        assertEquals(List.of(), scene.adapter.listResources());
        assertEquals(List.of(), scene.networking.floatingIps());
        assertEquals(List.of(new Event.LeakRemoved("real", "floatingips", id)), scene.events);
    }

    @Test
    void a_volume_that_outlives_its_server_says_whose_it_was_and_can_be_removed() throws Exception {
        String server = scene.create("0000000303", "volume").instance().externalId();
        assertFalse(types(scene.adapter.listResources()).contains("volume"), "it goes with its server");
        cloud.fault("""
                {"service": "volume", "method": "DELETE", "path": "/volumes/", "status": 500}""");
        scene.delete(server);
        cloud.noFaults();
        List<Resource> found = scene.adapter.listResources();
        assertEquals(List.of("volume"), types(found));
        assertEquals("0000000303", found.get(0).metadata().get(Launch.NODE_ID));
        assertEquals("real", found.get(0).metadata().get(Launch.PROVIDER_NAME));
        scene.adapter.deleteResource(found.get(0));
        assertEquals(List.of(), types(scene.adapter.listResources()));
    }

    private static List<String> types(List<Resource> resources) {
        return resources.stream().map(Resource::type).toList();
    }

    @Test
    void a_port_that_stays_down_is_removed_at_the_second_look() throws Exception {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putObject("port").put("network_id", network("private"));
        String port = scene.bare
                .call(Call.post(Service.NETWORK, "/ports", body))
                .body()
                .path("port")
                .path("id")
                .asText();
        ManualClock clock = new ManualClock();
        PortSweep sweep =
                new PortSweep("real", scene.networking, Duration.ofMinutes(10), clock.nanoTime(), scene.events::add);
        assertEquals(0, sweep.sweep());
        clock.advance(Duration.ofMinutes(9));
        assertEquals(0, sweep.sweep());
        assertTrue(isDown(port));
        clock.advance(Duration.ofMinutes(2));
        assertEquals(1, sweep.sweep());
        assertEquals(List.of(new Event.LeakRemoved("real", "ports", port)), scene.events);
        assertFalse(isDown(port));
    }

    @Test
    void two_servers_of_one_node_go_together() throws Exception {
        String first = scene.create("0000000302", "small").instance().externalId();
        String second = scene.compute.create(new ServerBody(
                        "np0000000302",
                        "1",
                        scene.imageId(),
                        Optional.empty(),
                        false,
                        List.of(network("private")),
                        Map.of(Launch.NODE_ID, "0000000302", Launch.PROVIDER_NAME, "real"))
                .toJson(
                        scene.config.pools().get(0),
                        scene.config.pools().get(0).labels().get(0)));
        scene.delete(first);
        assertEquals(List.of(), scene.servers(), second);
    }

    private boolean isDown(String port) throws Exception {
        return scene.networking.portsDown().stream().map(Networking.Port::id).anyMatch(port::equals);
    }

    private String network(String name) throws Exception {
        return scene.networking.networks().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow()
                .id();
    }
}
