package nodepool.api.config;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.Driver;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Reads a configuration once. Found as an OSGi service, or with {@link java.util.ServiceLoader} outside of OSGi.
 * Thread-safe; blocks for file I/O only.
 */
@ProviderType
public interface ConfigurationReader {

    /**
     * Reads, checks and joins the files. All mistakes are found in one run.
     *
     * @param config main file
     * @param secure secure file, if there is one
     * @param environment the variables to substitute; only names that begin with {@code NODEPOOL_} take part
     * @param drivers the drivers that are here; entries of other drivers are kept unread
     */
    Result read(Path config, Optional<Path> secure, Map<String, String> environment, Collection<Driver> drivers);

    /**
     * @param configuration absent if an error prevents using the file
     * @param problems sorted by place
     */
    record Result(Optional<Configuration> configuration, List<Problem> problems) {
        public Result {
            problems = List.copyOf(problems);
        }
    }
}
