package nodepool.driver.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Step;
import nodepool.api.event.Event;
import nodepool.api.image.ImageLogin;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.testkit.LentContext;
import nodepool.testkit.ManualClock;
import nodepool.testkit.ManualExecutor;
import nodepool.testkit.MemorySnapshots;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StateMachineProviderTest {

    private static final NodeRequest REQUEST =
            NodeRequest.draft(NodeRequest.Wanted.of(List.of("small")), NodeRequest.Asker.named("test"), Instant.EPOCH);

    private final ManualClock clock = new ManualClock();
    private final ManualExecutor executor = new ManualExecutor(clock);
    private final MemorySnapshots records = new MemorySnapshots();
    private final List<Event> events = new ArrayList<>();
    private final ScriptedAdapter adapter = new ScriptedAdapter();
    private List<String> configuredZones = List.of();
    private final StateMachineProvider provider = new StateMachineProvider(
            "east",
            adapter,
            LentContext.of(records, clock, executor, this::heard),
            pool -> configuredZones,
            bound -> bound - 1);
    private final PoolConfig pool = CloudConfig.read(
                    "test",
                    TextSection.of("name", "east")
                            .with(
                                    "pools",
                                    TextSection.of("name", "main").with("labels", TextSection.of("name", "small"))),
                    new TestLoad())
            .pools()
            .get(0);

    /** Answers as the test says. */
    private static final class ScriptedAdapter implements Adapter {
        private List<String> zones = List.of("a", "b");
        private StateMachine machine = memo -> new Step.Gone();
        private final List<Resource> resources = new ArrayList<>();
        private final List<String> calls = new ArrayList<>();

        @Override
        public StateMachine getCreateStateMachine(Launch launch, Optional<String> availabilityZone) {
            calls.add("create in " + availabilityZone.orElse("no zone"));
            return machine;
        }

        @Override
        public StateMachine getDeleteStateMachine(String externalId) {
            calls.add("delete " + externalId);
            return machine;
        }

        @Override
        public List<Instance> listInstances() {
            return List.of();
        }

        @Override
        public List<Resource> listResources() {
            return resources;
        }

        @Override
        public void deleteResource(Resource resource) {
            calls.add("delete resource " + resource.id());
        }

        @Override
        public List<String> getAZs() {
            return zones;
        }

        @Override
        public void notifyNodescanFailure(String externalId) {
            calls.add("no answer from " + externalId);
        }

        @Override
        public String uploadImage(ManagedImages.NewImage image, Path file) {
            return image.metadata().toString();
        }

        @Override
        public void deleteImage(String externalId) throws CloudException {
            throw new CloudException(Fault.NOT_FOUND, externalId);
        }
    }

    @AfterEach
    void end() {
        provider.stop();
        executor.shutdownNow();
    }

    /** Calls are told by {@link CallWatch} and tested there. */
    private void heard(Event event) {
        if (!(event instanceof Event.CloudCalled)) {
            events.add(event);
        }
    }

    @Test
    void the_nodes_of_a_request_are_kept_in_one_zone() throws Exception {
        provider.start();
        Node first = handler().setNodeMetadata(node(), List.of());
        assertEquals(Optional.of("b"), first.place().az());
        Node other = node().withPlace(node().place().withAz(Optional.of("a")));
        assertEquals(
                Optional.of("a"),
                handler().setNodeMetadata(node(), List.of(other)).place().az());
        assertFalse(handler().checkReusableNode(first, List.of(other)));
        assertTrue(handler().checkReusableNode(first, List.of()));
    }

    @Test
    void configured_zones_come_before_the_clouds() throws Exception {
        provider.start();
        configuredZones = List.of("c");
        assertEquals(
                Optional.of("c"),
                handler().setNodeMetadata(node(), List.of()).place().az());
    }

    @Test
    void after_a_refused_launch_the_zones_are_read_again() throws Exception {
        provider.start();
        adapter.zones = List.of("new");
        adapter.machine = memo -> {
            throw new CloudException(Fault.BAD_REQUEST, "requested availability zone is not available");
        };
        assertThrows(CloudException.class, () -> handler().launch(launch(), Map.of()));
        executor.settle();
        assertEquals(
                Optional.of("new"),
                handler().setNodeMetadata(node(), List.of()).place().az());
    }

    @Test
    void a_provider_whose_zones_cannot_be_read_does_not_start() {
        adapter.zones = null;
        assertThrows(CloudException.class, provider::start);
    }

    @Test
    void a_machine_may_be_there_after_its_first_step() throws Exception {
        Instance instance = Instance.of("i-1", Instance.Status.READY, Map.of(), Node.Addresses.NONE);
        adapter.machine = memo -> new Step.Done(instance);
        assertEquals(new Step.Done(instance), handler().launch(launch(), Map.of()));
    }

    @Test
    void a_node_without_an_external_id_has_nothing_to_remove() throws Exception {
        assertInstanceOf(Step.Gone.class, provider.cleanupNode(node(), Map.of()));
        assertEquals(List.of(), adapter.calls);
    }

    @Test
    void an_idle_provider_leaves_leaks_to_its_successor() throws Exception {
        adapter.resources.add(
                new Resource("instance", "i-1", Map.of(Launch.PROVIDER_NAME, "east", Launch.NODE_ID, "0000000009")));
        provider.cleanupLeakedResources(records.now());
        provider.idle();
        provider.cleanupLeakedResources(records.now());
        assertEquals(List.of(), adapter.calls);
    }

    @Test
    void trouble_is_shown_and_told_once_and_goes_with_the_first_answer() throws Exception {
        adapter.machine = memo -> {
            throw new CloudException(Fault.UNAUTHORIZED, "who are you");
        };
        for (int i = 0; i < 4; i++) {
            assertThrows(CloudException.class, () -> handler().launch(launch(), Map.of()));
        }
        assertTrue(provider.trouble().orElseThrow().detail().contains("who are you"));
        assertEquals(1, events.size());
        provider.listNodes();
        assertEquals(Optional.empty(), provider.trouble());
        assertEquals(new Event.ProviderChanged("east", Optional.empty()), events.get(1));
    }

    @Test
    void the_adapter_hears_of_machines_that_did_not_answer() {
        Node silent = node().withMachine(Node.Machine.NONE.withExternalId(Optional.of("i-1")));
        provider.notifications().orElseThrow().nodescanFailedNotification(silent);
        assertEquals(List.of(), adapter.calls);
        executor.settle();
        assertEquals(List.of("no answer from i-1"), adapter.calls);
    }

    @Test
    void images_carry_the_providers_name_and_may_be_gone_already() throws Exception {
        ManagedImages images = provider.images().orElseThrow();
        ManagedImages.NewImage image = new ManagedImages.NewImage(
                "debian",
                "debian-1",
                "qcow2",
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                new ImageLogin(Optional.empty(), Optional.empty(), Optional.empty()));
        assertEquals("{nodepool_provider_name=east}", images.uploadImage(image, Path.of("none")));
        images.deleteImage("image-1");
    }

    private NodeRequestHandler handler() {
        return provider.getRequestHandler(pool, REQUEST);
    }

    private Launch launch() {
        return new Launch(
                node(),
                REQUEST,
                pool,
                pool.label("small").orElseThrow(),
                "np0000000001",
                Optional.empty(),
                Map.of(),
                1);
    }

    private static Node node() {
        return Node.draft(
                        NodeState.BUILDING,
                        List.of("small"),
                        Node.Place.in("east", "main"),
                        Node.Machine.NONE,
                        Instant.EPOCH)
                .withId("0000000001");
    }
}
