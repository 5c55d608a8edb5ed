package nodepool.driver.staticnode;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import nodepool.testkit.contract.GenerationContract;
import nodepool.testkit.contract.ProviderUnderTest;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Generations of the provider on a real ZooKeeper. */
class StaticContractTest extends GenerationContract {

    @TempDir
    private static Path folder;

    private static EmbeddedZooKeeper server;
    private static Stores stores;

    @BeforeAll
    static void connect() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        stores = ServiceLoader.load(Stores.Connector.class)
                .findFirst()
                .orElseThrow()
                .connect(new ZooKeeperConfig(
                        List.of(server.connectString()), "", Duration.ofSeconds(10), Optional.empty()));
        stores.snapshots().next().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @AfterAll
    static void close() {
        stores.close();
        server.close();
    }

    @Override
    protected ProviderUnderTest openPlace() {
        StaticConfig config = Hosts.config(Hosts.host("one", 2, "desk", "lap"), Hosts.host("two", 1));
        return new ProviderUnderTest() {
            @Override
            public ProviderConfig config() {
                return config;
            }

            @Override
            public Provider open(ScheduledExecutorService executor) {
                ProviderContext context = new ProviderContext(
                        stores.snapshots(),
                        stores.nodes(),
                        stores.requests(),
                        new ScriptedScanner(),
                        Clock.systemUTC(),
                        executor,
                        () -> {});
                return new StaticProvider(
                        config, context, name -> new InetAddress[] {InetAddress.getLoopbackAddress()});
            }

            @Override
            public Snapshot records() {
                return stores.snapshots().current().orElseThrow();
            }
        };
    }
}
