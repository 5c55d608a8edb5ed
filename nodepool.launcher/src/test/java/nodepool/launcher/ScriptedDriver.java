package nodepool.launcher;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.config.Schema;
import nodepool.api.config.Section;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Driver;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.driver.statemachine.StateMachineProvider;

/** The driver of one launcher process; the clouds are shared by all. */
final class ScriptedDriver implements Driver {

    static final String WORD = "scripted";

    private final Map<String, ScriptedCloud> clouds;
    private final List<String> made = new CopyOnWriteArrayList<>();
    private final Bell bell = new Bell();
    private volatile boolean dead;

    /** @param clouds by provider name */
    ScriptedDriver(Map<String, ScriptedCloud> clouds) {
        this.clouds = clouds;
    }

    static ScriptedCloud cloud(Map<String, ScriptedCloud> clouds, String provider) {
        return clouds.computeIfAbsent(provider, first -> new ScriptedCloud());
    }

    /** Its process has crashed: from now on nothing it still does reaches a cloud. */
    void die() {
        dead = true;
    }

    void checkAlive() throws CloudException {
        if (dead) {
            throw new CloudException(CloudException.Fault.TRANSIENT, "this process is dead");
        }
    }

    /** How many providers of that name were made. */
    int made(String provider) {
        return Collections.frequency(made, provider);
    }

    void awaitMade(String provider, int number) {
        bell.await(
                number + " providers " + provider,
                () -> Optional.of(number).filter(wanted -> made(provider) >= wanted));
    }

    @Override
    public String name() {
        return WORD;
    }

    @Override
    public Schema getSchema() {
        return ScriptedConfig.PROVIDER;
    }

    @Override
    public ProviderConfig getProviderConfig(Section provider, LoadContext load) {
        return ScriptedConfig.read(provider);
    }

    @Override
    public Provider getProvider(ProviderConfig config, ProviderContext context) {
        made.add(config.name());
        bell.ring();
        return new StateMachineProvider(
                config.name(),
                new ScriptedAdapter(cloud(clouds, config.name()), this),
                context,
                pool -> ((ScriptedConfig.Pool) pool).zones(),
                bound -> 0);
    }
}
