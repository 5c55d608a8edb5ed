package nodepool.zk;

import java.util.Optional;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.registry.ComponentRegistry;
import nodepool.api.store.AccountStore;
import nodepool.api.store.ImageArchive;
import nodepool.api.store.ImageMarks;
import nodepool.api.store.ImageStore;
import nodepool.api.store.NodeStore;
import nodepool.api.store.ProviderMarks;
import nodepool.api.store.RequestStore;
import nodepool.api.store.SnapshotSource;
import nodepool.api.store.Stores;

/** One connection and everything on it. */
final class ZkStores implements Stores {

    private final Session session;
    private final LiveTree tree;
    private final ZkRequestStore requests;
    private final ZkNodeStore nodes;
    private final ZkImageStore images;
    private final ZkImageMarks imageMarks;
    private final ZkImageArchive imageArchive;
    private final ZkProviderMarks providerMarks;
    private final ZkComponentRegistry components;
    private final ZkAccountStore accounts;

    /**
     * For whoever only looks and commands.
     *
     * @throws IllegalArgumentException if the configuration cannot work, naming what is wrong
     */
    ZkStores(ZooKeeperConfig config) {
        this(config, Admission.notAsked(), false);
    }

    /**
     * @param registerLaunchers whether pools are registered where launchers before 2022 look, too
     * @throws IllegalArgumentException if the configuration cannot work, naming what is wrong
     */
    ZkStores(ZooKeeperConfig config, Admission admission, boolean registerLaunchers) {
        this.session = new Session(config);
        this.tree = new LiveTree(session, admission);
        Definite definite = new Definite(session);
        this.requests = new ZkRequestStore(definite, tree);
        this.nodes = new ZkNodeStore(definite, tree);
        this.images = new ZkImageStore(definite);
        this.imageMarks = new ZkImageMarks(definite);
        this.imageArchive = new ZkImageArchive(definite);
        this.providerMarks = new ZkProviderMarks(definite);
        this.components = new ZkComponentRegistry(
                definite,
                admission,
                registerLaunchers ? Optional.of(new OldRegistrations(definite)) : Optional.empty());
        this.accounts = new ZkAccountStore(definite);
        session.listen(tree);
        session.listen(components);
        session.start();
    }

    @Override
    public SnapshotSource snapshots() {
        return tree;
    }

    @Override
    public RequestStore requests() {
        return requests;
    }

    @Override
    public NodeStore nodes() {
        return nodes;
    }

    @Override
    public ImageStore images() {
        return images;
    }

    @Override
    public ImageMarks imageMarks() {
        return imageMarks;
    }

    @Override
    public ImageArchive imageArchive() {
        return imageArchive;
    }

    @Override
    public ProviderMarks providerMarks() {
        return providerMarks;
    }

    @Override
    public ComponentRegistry components() {
        return components;
    }

    @Override
    public AccountStore accounts() {
        return accounts;
    }

    @Override
    public void close() {
        session.close();
    }
}
