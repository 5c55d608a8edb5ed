package nodepool.driver.statemachine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import nodepool.api.config.Section;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.ProviderConfig;

/**
 * A provider as {@link CloudSchema} describes it.
 *
 * @param driver name of the driver
 * @param section where the author's own keys are looked up
 */
public record CloudConfig(String driver, Section section, List<CloudPool> pools) implements ProviderConfig {

    public CloudConfig {
        pools = List.copyOf(pools);
    }

    /** Reads an entry; mistakes that the schema cannot see are reported to {@code load}. */
    public static CloudConfig read(String driver, Section provider, LoadContext load) {
        List<CloudPool> pools = new ArrayList<>();
        for (Section pool : provider.sections("pools")) {
            pools.add(CloudPool.read(provider, pool, load));
        }
        return new CloudConfig(driver, provider, pools);
    }

    @Override
    public String name() {
        return section.require("name");
    }

    @Override
    public int maxConcurrency() {
        return section.integer("max-concurrency", -1);
    }

    @Override
    public int launchRetries() {
        return section.integer("launch-retries", 3);
    }

    @Override
    public Duration launchTimeout() {
        return Duration.ofSeconds(section.integer("launch-timeout", 3600));
    }

    @Override
    public Duration bootTimeout() {
        return Duration.ofSeconds(section.integer("boot-timeout", 60));
    }

    /** For one call to the cloud. */
    public Duration callTimeout() {
        return Duration.ofSeconds(section.integer("call-timeout", 60));
    }

    /** Calls to the cloud per second; 0: no limit. */
    public double rateLimit() {
        return section.number("rate-limit").orElse(1.0);
    }
}
