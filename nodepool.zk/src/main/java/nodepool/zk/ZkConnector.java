package nodepool.zk;

import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.store.Stores;
import org.osgi.service.component.annotations.Component;

/** Opens connections. Also found by {@link java.util.ServiceLoader}, hence public with a public constructor. */
@Component(service = Stores.Connector.class)
public final class ZkConnector implements Stores.Connector {

    @Override
    public Stores connect(ZooKeeperConfig config) {
        return new ZkStores(config);
    }
}
