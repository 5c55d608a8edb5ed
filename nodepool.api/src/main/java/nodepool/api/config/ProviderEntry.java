package nodepool.api.config;

import java.util.Optional;
import nodepool.api.driver.ProviderConfig;

/**
 * One entry under {@code providers}.
 *
 * @param name of the provider
 * @param driver name of its driver
 * @param section as written
 * @param config as its driver read it; absent while no such driver is installed, or if it found errors in it
 */
public record ProviderEntry(String name, String driver, Section section, Optional<ProviderConfig> config) {}
