package nodepool.api.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.quota.QuotaInformation;

/**
 * The whole configuration: main file, secure file and environment, read, checked and joined. One immutable value; a changed
 * file makes another one.
 *
 * @param zookeeper absent if neither file names a server
 * @param webapp where to listen
 * @param builder what only the builder needs
 * @param labels by name, in the order of the file
 * @param diskImages by name, without abstract ones, in the order of the file
 * @param providers in the order of the file
 * @param tenantLimits by tenant name
 * @param maxHoldAge after which held nodes are deleted; zero: never
 * @param compat switches for old peers
 * @param problems what was found that did not prevent using it
 */
public record Configuration(
        Optional<ZooKeeperConfig> zookeeper,
        WebApp webapp,
        Builder builder,
        Map<String, Label> labels,
        Map<String, DiskImage> diskImages,
        List<ProviderEntry> providers,
        Map<String, QuotaInformation> tenantLimits,
        Duration maxHoldAge,
        Compat compat,
        List<Problem> problems) {

    /**
     * @param listenAddress to bind to
     * @param port 0 picks a free one
     */
    public record WebApp(String listenAddress, int port) {}

    /**
     * @param elementsDir handed to image builds as {@code ELEMENTS_PATH}
     * @param imagesDir home of image files; the builder cannot do without
     * @param buildLogDir where build logs go
     * @param buildLogRetention logs kept per image; negative: all
     */
    public record Builder(
            Optional<String> elementsDir, Optional<Path> imagesDir, Path buildLogDir, int buildLogRetention) {}

    /**
     * @param registerLaunchers also register pools where launchers before 2022 look
     * @param escapeDots replace dots in names that become part of metric names
     */
    public record Compat(boolean registerLaunchers, boolean escapeDots) {}

    public Configuration {
        providers = List.copyOf(providers);
        problems = List.copyOf(problems);
    }

    /** The entry of that name. */
    public Optional<ProviderEntry> provider(String name) {
        return providers.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }
}
