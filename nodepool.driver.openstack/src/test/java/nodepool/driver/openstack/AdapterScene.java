package nodepool.driver.openstack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.ConfigurationReader.Result;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Launch;
import nodepool.api.driver.Step;
import nodepool.api.event.Event;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.driver.openstack.cloud.BlockStorage;
import nodepool.driver.openstack.cloud.Caller;
import nodepool.driver.openstack.cloud.Compute;
import nodepool.driver.openstack.cloud.Images;
import nodepool.driver.openstack.cloud.Networking;
import nodepool.driver.openstack.cloud.Server;
import nodepool.driver.openstack.clouds.CloudFiles;
import nodepool.driver.statemachine.StateMachine;

/** An adapter on the real cloud, and somebody who takes its steps as a launcher would. */
final class AdapterScene implements AutoCloseable {

    static final Duration DEADLINE = Duration.ofMinutes(4);

    final OpenStackConfig config;
    final OpenStackAdapter adapter;
    final Compute compute;
    final Networking networking;
    final BlockStorage volumes;
    final Caller bare;
    final RequestTally requests = new RequestTally();
    final List<Event> events = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(16);

    /** What one machine came to: its last step, and every external id on the way. */
    record Run(Optional<Step> last, Optional<CloudException> failure, List<String> externalIds, int steps) {
        Instance instance() {
            return ((Step.Done) last.orElseThrow(() -> new AssertionError(failure.toString()))).instance();
        }
    }

    AdapterScene(RealCloud cloud, Path folder, String providerKeys, String poolKeys) throws Exception {
        this(cloud, folder, providerKeys, poolKeys, "{}");
    }

    /** @param secure content of a {@code secure.yaml}, which wins over how the cloud really is */
    AdapterScene(RealCloud cloud, Path folder, String providerKeys, String poolKeys, String secure) throws Exception {
        CloudFiles files = cloud.files(Files.writeString(folder.resolve("secure.yaml"), secure));
        String yaml = """
                zookeeper-servers: [{host: 127.0.0.1}]
                labels: [{name: small}, {name: volume}, {name: noroom}, {name: lost-image}, {name: by-ram},
                         {name: lost-flavor}, {name: lost-network}]
                providers:
                  - name: real
                    driver: openstack
                    cloud: nodepool
                    rate: 0
                %s
                    cloud-images: [{name: base}, {name: nobody, image-name: nobody-knows}]
                    pools:
                      - name: main
                %s
                        labels:
                          - {name: small, cloud-image: base, flavor-name: m1.small, key-name: nodepool,
                             userdata: "#cloud-config", instance-properties: {prop: yes-please},
                             dynamic-instance-properties: {asked: "{request.id} of {request.tenant_name}"}}
                          - {name: volume, cloud-image: base, flavor-name: m1.tiny, boot-from-volume: true, volume-size: 2}
                          - {name: noroom, cloud-image: base, flavor-name: m1.noroom}
                          - {name: lost-image, cloud-image: nobody, min-ram: 1}
                          - {name: by-ram, cloud-image: base, min-ram: 3000}
                          - {name: lost-flavor, cloud-image: base, flavor-name: m1.nothing}
                          - {name: lost-network, cloud-image: base, min-ram: 1, networks: [nowhere]}
                """.formatted(indented(providerKeys, 4), indented(poolKeys, 8));
        Path file = Files.writeString(folder.resolve("nodepool.yaml"), yaml);
        Result result = java.util.ServiceLoader.load(ConfigurationReader.class)
                .findFirst()
                .orElseThrow()
                .read(file, Optional.empty(), Map.of(), List.of(new OpenStackDriver(files)));
        this.config = (OpenStackConfig) result.configuration()
                .orElseThrow(() -> new AssertionError(result.problems().toString()))
                .provider("real")
                .flatMap(entry -> entry.config())
                .orElseThrow();
        this.bare = cloud.caller("nodepool");
        this.compute = new Compute(bare);
        this.networking = new Networking(bare);
        this.volumes = new BlockStorage(bare);
        this.adapter = new OpenStackAdapter(
                config,
                config.chosen().settings().orElseThrow(),
                RealCloud.caller(config.chosen().settings().orElseThrow(), requests),
                new OpenStackAdapter.Surroundings(threads, Clock.systemUTC(), System::nanoTime, false, events::add));
    }

    private static String indented(String text, int by) {
        return text.indent(by).stripTrailing();
    }

    Launch launch(String node, String label) {
        OpenStackPool pool = config.pools().get(0);
        NodeRequest request = NodeRequest.draft(
                        NodeRequest.Wanted.of(List.of(label)), NodeRequest.Asker.named("test"), Instant.EPOCH)
                .withId("100-0000000001");
        return new Launch(
                Node.draft(
                                NodeState.BUILDING,
                                List.of(label),
                                Node.Place.in("real", "main"),
                                Node.Machine.NONE,
                                Instant.EPOCH)
                        .withId(node),
                request,
                pool,
                pool.labels().stream()
                        .filter(one -> one.name().equals(label))
                        .findFirst()
                        .orElseThrow(),
                "np" + node,
                Optional.empty(),
                Map.of(Launch.NODE_ID, node, Launch.POOL_NAME, "main", Launch.PROVIDER_NAME, "real"),
                1);
    }

    CompletableFuture<Run> begin(StateMachine machine) {
        CompletableFuture<Run> run = new CompletableFuture<>();
        step(machine, Map.of(), new ArrayList<>(), 1, run);
        return run;
    }

    private void step(
            StateMachine machine, Map<String, String> memo, List<String> ids, int number, CompletableFuture<Run> run) {
        threads.execute(() -> {
            try {
                Step step = machine.advance(memo);
                if (step instanceof Step.Again again) {
                    again.externalId().filter(id -> !ids.contains(id)).ifPresent(ids::add);
                    threads.schedule(
                            () -> step(machine, again.memo(), ids, number + 1, run),
                            again.notBefore().toMillis(),
                            TimeUnit.MILLISECONDS);
                } else {
                    run.complete(new Run(Optional.of(step), Optional.empty(), List.copyOf(ids), number));
                }
            } catch (CloudException e) {
                run.complete(new Run(Optional.empty(), Optional.of(e), List.copyOf(ids), number));
            } catch (RuntimeException bug) {
                run.completeExceptionally(bug);
            }
        });
    }

    Run await(CompletableFuture<Run> run) throws Exception {
        try {
            return run.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException bug) {
            throw new AssertionError(bug);
        }
    }

    Run create(String node, String label) throws Exception {
        return await(begin(adapter.getCreateStateMachine(launch(node, label), Optional.empty())));
    }

    Run delete(String id) throws Exception {
        return await(begin(adapter.getDeleteStateMachine(id)));
    }

    /** Our servers, as the cloud itself lists them. */
    List<Server> servers() throws CloudException {
        return compute.servers().stream()
                .filter(server -> Ownership.node(server, "real").isPresent() && !server.isDeleted())
                .toList();
    }

    String imageId() throws CloudException {
        return new Images(bare).named("base").get(0).id();
    }

    /** Removes all that tests have left. */
    void clear() throws Exception {
        for (Server server : servers()) {
            delete(server.id());
        }
        for (Networking.FloatingIp one : networking.floatingIps()) {
            networking.deleteFloatingIp(one.id());
        }
    }

    @Override
    public void close() {
        adapter.stop();
        bare.close();
        threads.shutdownNow();
    }
}
