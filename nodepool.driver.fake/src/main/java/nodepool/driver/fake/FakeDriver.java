package nodepool.driver.fake;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import nodepool.api.config.Schema;
import nodepool.api.config.Section;
import nodepool.api.driver.Driver;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.driver.statemachine.StateMachineProvider;
import org.osgi.service.component.annotations.Component;

/** The fake cloud as a driver. Its clouds outlive its providers, as real ones do. */
@Component(service = Driver.class, property = Driver.NAME + "=" + FakeDriver.WORD)
public final class FakeDriver implements Driver {

    static final String WORD = "fake";

    /** A cloud belongs to the provider's name and, if it is shared, to its journal. */
    private record Key(String provider, Optional<Path> journal) {}

    private final Map<Key, FakeCloud> clouds = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return WORD;
    }

    @Override
    public Schema getSchema() {
        return FakeConfig.PROVIDER;
    }

    @Override
    public ProviderConfig getProviderConfig(Section provider, LoadContext load) {
        return FakeConfig.read(provider, load);
    }

    @Override
    public Provider getProvider(ProviderConfig config, ProviderContext context) {
        FakeConfig fake = (FakeConfig) config;
        FakeCloud cloud = clouds.computeIfAbsent(
                new Key(fake.name(), fake.journal()),
                key -> new FakeCloud(context.clock(), servers(key, context.clock())));
        return new StateMachineProvider(
                fake.name(),
                new FakeAdapter(fake, cloud),
                context,
                FakeDriver::zones,
                bound -> ThreadLocalRandom.current().nextInt(bound));
    }

    private static FakeServers servers(Key key, Clock clock) {
        return key.journal()
                .<FakeServers>map(file -> new JournalServers(file, clock))
                .orElseGet(MemoryServers::new);
    }

    private static List<String> zones(PoolConfig pool) {
        return ((FakeConfig.Pool) pool).zones();
    }
}
