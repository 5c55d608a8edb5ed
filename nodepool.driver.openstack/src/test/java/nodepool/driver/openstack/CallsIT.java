package nodepool.driver.openstack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import nodepool.driver.openstack.AdapterScene.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often the cloud is asked. */
class CallsIT {

    @TempDir
    Path folder;

    private RealCloud cloud;
    private AdapterScene scene;

    @BeforeEach
    void open() throws Exception {
        cloud = RealCloud.get();
        cloud.noFaults();
        scene = new AdapterScene(cloud, folder, "", "networks: [private]");
    }

    @AfterEach
    void nothing_is_left() throws Exception {
        scene.clear();
        scene.close();
    }

    @Test
    void a_server_with_a_floating_ip_takes_six_calls_in_its_life() throws Exception {
        String id = scene.create("0000000501", "small").instance().externalId();
        scene.delete(id);
        assertEquals(
                List.of("POST servers", "GET ports", "POST floatingips", "DELETE floatingip", "DELETE server"),
                scene.requests.ofServers().stream()
                        .filter(call -> !call.equals("GET server"))
                        .toList());
        assertTrue(scene.requests.count("GET server") <= 1, scene.requests::toString);
    }

    @Test
    void a_server_without_one_takes_two_and_servers_share_their_listings() throws Exception {
        scene.close();
        scene = new AdapterScene(cloud, folder, "", "networks: [private]\nauto-floating-ip: false");
        scene.adapter.listInstances();
        scene.requests.clear();
        long begun = System.nanoTime();
        List<CompletableFuture<Run>> runs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            runs.add(scene.begin(
                    scene.adapter.getCreateStateMachine(scene.launch("000000051" + i, "small"), Optional.of("az-a"))));
        }
        List<CompletableFuture<Run>> removals = new ArrayList<>();
        for (CompletableFuture<Run> run : runs) {
            removals.add(scene.begin(scene.adapter.getDeleteStateMachine(
                    scene.await(run).instance().externalId())));
        }
        for (CompletableFuture<Run> removal : removals) {
            scene.await(removal);
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) + 1;
        assertEquals(4, scene.requests.count("POST servers"));
        assertEquals(4, scene.requests.count("DELETE server"));
        assertTrue(scene.requests.ofServers().size() <= 16, scene.requests::toString);
        assertTrue(scene.requests.count("GET servers_detail") <= 3 * seconds + 8, scene.requests::toString);
        assertEquals(1, scene.requests.count("GET flavors_detail"));
    }

    @Test
    void nobody_is_asked_while_nobody_waits() throws Exception {
        scene.create("0000000520", "small").instance();
        int before = scene.requests.all().size();
        try (AdapterScene other = new AdapterScene(cloud, folder, "", "networks: [private]")) {
            other.delete(other.create("0000000521", "small").instance().externalId());
        }
        int refreshUnderWay = 2;
        assertTrue(scene.requests.all().size() <= before + refreshUnderWay, scene.requests::toString);
    }
}
