package nodepool.driver.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.event.Event;
import nodepool.api.image.ImageLogin;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.Stored;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.testkit.MemorySnapshots;
import org.junit.jupiter.api.Test;

class LeakSweepTest {

    private final MemorySnapshots records = new MemorySnapshots();
    private final List<String> deleted = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final LeakSweep leaks = new LeakSweep("east", Contexts.of(records, events::add));

    @Test
    void what_no_record_knows_is_removed_in_the_second_sweep_and_counted() {
        sweep(instance("i-1", "east", "0000000001"));
        assertEquals(List.of(), deleted);
        sweep(instance("i-1", "east", "0000000001"));
        assertEquals(List.of("i-1"), deleted);
        assertEquals(List.of(new Event.LeakRemoved("east", "instances", "i-1")), events);
    }

    @Test
    void a_node_recorded_between_the_two_looks_keeps_its_machine() {
        sweep(instance("i-1", "east", "0000000001"));
        record("0000000001");
        sweep(instance("i-1", "east", "0000000001"));
        assertEquals(List.of(), deleted);
    }

    @Test
    void a_node_recorded_after_the_snapshot_of_the_sweep_keeps_its_machine() {
        var before = records.now();
        leaks.sweep(before, List.of(instance("i-1", "east", "0000000001")), this::delete);
        record("0000000001");
        leaks.sweep(before, List.of(instance("i-1", "east", "0000000001")), this::delete);
        assertEquals(List.of(), deleted);
    }

    @Test
    void everything_of_one_node_goes_in_the_same_sweep() {
        Resource volume = new Resource("volume", "v-1", mark("east", "0000000001"));
        sweep(instance("i-1", "east", "0000000001"));
        sweep(instance("i-1", "east", "0000000001"), volume);
        assertEquals(List.of("i-1", "v-1"), deleted);
    }

    @Test
    void a_second_machine_of_a_known_node_is_removed_and_the_one_it_knows_is_kept() {
        Node unsure = record("0000000001");
        Resource one = Resource.machine("i-1", mark("east", "0000000001"));
        Resource two = Resource.machine("i-2", mark("east", "0000000001"));
        for (int i = 0; i < 2; i++) {
            sweep(one, two);
        }
        assertEquals(List.of(), deleted, "while the node knows none, either may be its own");
        records.put(unsure.withMachine(unsure.machine().withExternalId(Optional.of("i-2"))));
        for (int i = 0; i < 2; i++) {
            sweep(one, two);
        }
        assertEquals(List.of("i-1"), deleted);
    }

    @Test
    void what_others_have_made_is_left_alone() {
        for (int i = 0; i < 3; i++) {
            sweep(instance("i-1", "west", "0000000001"), new Resource("instance", "i-2", Map.of()));
        }
        assertEquals(List.of(), deleted);
    }

    @Test
    void an_image_is_known_by_its_build_and_upload_together() {
        records.put(new ImageUpload(
                "debian",
                "build-1",
                "east",
                "0000000001",
                ImageState.READY,
                Instant.EPOCH,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new ImageLogin(Optional.empty(), Optional.empty(), Optional.empty()),
                Stored.NEVER));
        for (int i = 0; i < 2; i++) {
            sweep(image("known", "build-1"), image("leaked", "build-2"));
        }
        assertEquals(List.of("leaked"), deleted);
    }

    @Test
    void one_that_cannot_be_removed_does_not_keep_the_others() {
        for (int i = 0; i < 2; i++) {
            sweep(instance("stuck", "east", "0000000001"), instance("i-2", "east", "0000000002"));
        }
        assertEquals(List.of("i-2"), deleted);
        assertEquals(1, events.size());
    }

    private void sweep(Resource... resources) {
        leaks.sweep(records.now(), List.of(resources), this::delete);
    }

    private void delete(Resource resource) throws CloudException {
        if (resource.id().equals("stuck")) {
            throw new CloudException(Fault.TRANSIENT, "in use");
        }
        deleted.add(resource.id());
    }

    private Node record(String id) {
        Node node = Node.draft(
                        NodeState.BUILDING,
                        List.of("small"),
                        Node.Place.in("east", "main"),
                        Node.Machine.NONE,
                        Instant.EPOCH)
                .withId(id);
        records.put(node);
        return node;
    }

    private static Resource instance(String id, String provider, String node) {
        return new Resource("instance", id, mark(provider, node));
    }

    private static Map<String, String> mark(String provider, String node) {
        return Map.of(Launch.PROVIDER_NAME, provider, Launch.NODE_ID, node);
    }

    private static Resource image(String id, String build) {
        return new Resource(
                "image",
                id,
                Map.of(
                        Launch.PROVIDER_NAME, "east",
                        ManagedImages.BUILD_ID, build,
                        ManagedImages.UPLOAD_ID, "0000000001"));
    }
}
