package nodepool.driver.@name@;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ProviderContext;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.@name@.@Name@Api.Server;
import nodepool.driver.statemachine.Adapter;
import nodepool.driver.statemachine.CachedListing;
import nodepool.driver.statemachine.CloudConfig;
import nodepool.driver.statemachine.CloudLabel;
import nodepool.driver.statemachine.MakeThenWait;
import nodepool.driver.statemachine.RemoveThenWait;
import nodepool.driver.statemachine.Resource;
import nodepool.driver.statemachine.StateMachine;

/** How a machine is made, listed and removed. */
final class @Name@Adapter implements Adapter {

    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final Duration USABLE = Duration.ofMinutes(1);

    private final CloudConfig config;
    private final ProviderContext context;
    private final @Name@Api api;
    private final CachedListing<List<Server>> servers;

    @Name@Adapter(CloudConfig config, ProviderContext context, @Name@Api api) {
        this.config = config;
        this.context = context;
        this.api = api;
        this.servers = new CachedListing<>(
                config.name() + " servers", FRESH, USABLE, api::list, context.executor(), context.clock());
    }

    @Override
    public Duration callTimeout() {
        return config.callTimeout();
    }

    @Override
    public void stop() {
        api.close();
    }

    @Override
    public StateMachine getCreateStateMachine(Launch launch, Optional<String> availabilityZone) {
        CloudLabel label = (CloudLabel) launch.label();
        MakeThenWait.Calls calls = new MakeThenWait.Calls() {
            @Override
            public Optional<String> find() throws CloudException {
                return servers.fetch().stream()
                        .filter(server -> launch.node().id().equals(server.metadata().get(Launch.NODE_ID)))
                        .map(Server::id)
                        .findFirst();
            }

            @Override
            public String make() throws CloudException {
                String image = label.image().flatMap(one -> one.text("image-id")).orElse("");
                return api.create(launch.hostname(), image, label.section().require("size"), launch.metadata());
            }

            @Override
            public Optional<Instance> look(String id) throws CloudException {
                return servers.recent().stream()
                        .filter(server -> server.id().equals(id))
                        .map(@Name@Adapter::instance)
                        .findFirst();
            }
        };
        return new MakeThenWait(calls, PAUSE, config.launchTimeout(), context.clock());
    }

    @Override
    public StateMachine getDeleteStateMachine(String externalId) {
        RemoveThenWait.Calls calls = new RemoveThenWait.Calls() {
            @Override
            public void remove() throws CloudException {
                api.delete(externalId);
            }

            @Override
            public boolean isThere() throws CloudException {
                return servers.fetch().stream().anyMatch(server -> server.id().equals(externalId));
            }
        };
        return new RemoveThenWait(calls, PAUSE);
    }

    @Override
    public List<Instance> listInstances() throws CloudException {
        return servers.recent().stream().map(@Name@Adapter::instance).toList();
    }

    @Override
    public List<Resource> listResources() throws CloudException {
        return servers.fetch().stream()
                .map(server -> new Resource("instance", server.id(), server.metadata()))
                .toList();
    }

    @Override
    public void deleteResource(Resource resource) throws CloudException {
        api.delete(resource.id());
    }

    private static Instance instance(Server server) {
        Optional<String> address = Optional.of(server.address());
        return Instance.of(
                        server.id(),
                        server.up() ? Instance.Status.READY : Instance.Status.PENDING,
                        server.metadata(),
                        new Node.Addresses(address, address, Optional.empty(), Optional.empty()))
                .withQuota(QuotaInformation.needs(0, 1, 0));
    }
}
