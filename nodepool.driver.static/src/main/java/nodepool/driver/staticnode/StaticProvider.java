package nodepool.driver.staticnode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.Instance;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.ProviderNotifications;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;

/** A list of hosts: launches nothing, keeps a record for every free slot. */
final class StaticProvider implements Provider {

    private final StaticConfig config;
    private final ProviderContext context;
    private final HostCheck check;
    private final SlotKeeper keeper;
    private final RivalWatch rivals;
    private volatile Subscription subscription = () -> {};

    StaticProvider(StaticConfig config, ProviderContext context, HostCheck.Resolver resolver) {
        this.config = config;
        this.context = context;
        this.check = new HostCheck(context.scanner(), resolver, context.executor());
        this.keeper = new SlotKeeper(config, context, check);
        this.rivals = new RivalWatch(config);
    }

    @Override
    public void start() {
        subscription = context.snapshots().onChange(keeper::wake);
        keeper.start();
    }

    @Override
    public void idle() {
        keeper.idle();
        subscription.close();
    }

    @Override
    public void stop() {
        idle();
    }

    /** What is known of every configured host. */
    List<HostState> hostStates() {
        return keeper.hostStates();
    }

    @Override
    public boolean launches() {
        return false;
    }

    @Override
    public NodeRequestHandler getRequestHandler(PoolConfig pool, NodeRequest request) {
        return new StaticNodeRequestHandler(config, check, keeper);
    }

    /** There is no machine to remove; the slot's next record is made when this one is gone. */
    @Override
    public Step cleanupNode(Node node, Map<String, String> memo) {
        return new Step.Gone();
    }

    /** None: these hosts exist whatever the records say, so none of them is ours to account for or to sweep. */
    @Override
    public List<Instance> listNodes() {
        return List.of();
    }

    @Override
    public void cleanupLeakedResources(Snapshot snapshot) {
        rivals.look(snapshot);
        keeper.lookForLostRecords();
    }

    @Override
    public Optional<ProviderNotifications> notifications() {
        return Optional.of(new ProviderNotifications() {
            @Override
            public void nodeDeletedNotification(Node node) {
                keeper.gone(node.id());
            }
        });
    }
}
