package nodepool.driver.fake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.Step;
import nodepool.api.driver.WantedImages;
import nodepool.api.image.ImageLogin;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;
import nodepool.driver.statemachine.StateMachine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FakeAdapterTest {

    private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

    private final FakeCloud cloud = new FakeCloud(CLOCK, new MemoryServers());
    private final FakeAdapter adapter = new FakeAdapter(config(Duration.ofMillis(100), 1), cloud);

    @Test
    void the_first_step_makes_a_server_and_says_how_long_it_takes() throws Exception {
        Step.Again again =
                assertInstanceOf(Step.Again.class, create("0000000001").advance(Map.of()));
        assertEquals(Duration.ofMillis(100), again.notBefore());
        assertEquals(Optional.of(cloud.list().get(0).id()), again.externalId());
    }

    @Test
    void a_step_repeated_after_a_crash_finds_what_it_made() throws Exception {
        create("0000000001").advance(Map.of());
        create("0000000001").advance(Map.of());
        assertEquals(1, cloud.list().size());
    }

    @Test
    void a_server_that_is_active_ends_the_launch() throws Exception {
        FakeAdapter fast = new FakeAdapter(config(Duration.ZERO, 1), cloud);
        Step step = fast.getCreateStateMachine(launch("0000000001"), Optional.empty())
                .advance(Map.of());
        assertEquals(
                "fake",
                assertInstanceOf(Step.Done.class, step)
                        .instance()
                        .addresses()
                        .interfaceIp()
                        .orElseThrow());
    }

    @Test
    void a_full_cloud_refuses_for_quota() throws Exception {
        create("0000000001").advance(Map.of());
        CloudException refused =
                assertThrows(CloudException.class, () -> create("0000000002").advance(Map.of()));
        assertEquals(CloudException.Fault.QUOTA, refused.fault());
    }

    @Test
    void deleting_twice_is_fine() throws Exception {
        create("0000000001").advance(Map.of());
        String id = cloud.list().get(0).id();
        adapter.getDeleteStateMachine(id).advance(Map.of());
        assertInstanceOf(Step.Gone.class, adapter.getDeleteStateMachine(id).advance(Map.of()));
        assertEquals(List.of(), adapter.listInstances());
    }

    @Test
    void an_image_is_refused_as_often_as_configured_and_kept_with_its_metadata_after_that(@TempDir Path folder)
            throws Exception {
        Path file = Files.writeString(folder.resolve("image.qcow2"), "12345");
        ManagedImages.NewImage image = new ManagedImages.NewImage(
                "image",
                "image-1",
                "qcow2",
                Map.of(ManagedImages.BUILD_ID, "1"),
                Optional.empty(),
                Optional.empty(),
                new ImageLogin(Optional.empty(), Optional.empty(), Optional.empty()));
        assertThrows(CloudException.class, () -> adapter.uploadImage(image, file));

        String id = adapter.uploadImage(image, file);

        assertEquals(
                Map.of(ManagedImages.BUILD_ID, "1"), adapter.listImages().get(0).metadata());
        adapter.deleteImage(id);
        assertEquals(List.of(), adapter.listImages());
        assertEquals(
                CloudException.Fault.NOT_FOUND,
                assertThrows(CloudException.class, () -> adapter.deleteImage(id))
                        .fault());
    }

    private StateMachine create(String node) {
        return adapter.getCreateStateMachine(launch(node), Optional.of("az2"));
    }

    private static FakeConfig config(Duration delay, int servers) {
        FakeUploads uploads =
                new FakeUploads(new WantedImages("qcow2", "{image_name}", Optional.empty(), List.of()), 1);
        return new FakeConfig(
                "fake",
                -1,
                3,
                Duration.ofHours(1),
                Duration.ofSeconds(60),
                delay,
                servers,
                Optional.empty(),
                uploads,
                List.of());
    }

    private static Launch launch(String id) {
        FakeConfig.Label label = new FakeConfig.Label("small", Optional.empty(), Optional.of("image"), 8192);
        FakeConfig.Pool pool = new FakeConfig.Pool(
                "main", OptionalInt.empty(), 100, QuotaInformation.UNLIMITED, JsonNull.NULL, List.of(), List.of(label));
        Node node = Node.draft(
                        NodeState.BUILDING,
                        List.of("small"),
                        Node.Place.in("fake", "main"),
                        Node.Machine.NONE,
                        Instant.EPOCH)
                .withId(id);
        NodeRequest request = NodeRequest.draft(
                NodeRequest.Wanted.of(List.of("small")), NodeRequest.Asker.named("test"), Instant.EPOCH);
        return new Launch(node, request, pool, label, "np" + id, Optional.empty(), Map.of(Launch.NODE_ID, id), 1);
    }
}
