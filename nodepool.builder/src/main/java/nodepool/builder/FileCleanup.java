package nodepool.builder;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import nodepool.api.config.Configuration;
import nodepool.api.config.DiskImage;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.WantedImages;
import nodepool.api.image.ImageBuild;
import nodepool.api.store.Snapshot;
import nodepool.builder.decision.ImageFacts;
import nodepool.builder.decision.LocalBuild;
import nodepool.builder.dib.ImageDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes from the images directory what no record needs any more. Blocks. */
final class FileCleanup {

    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.CleanupWorker");

    private final BuilderContext context;
    private final ImageDirectory directory;

    FileCleanup(BuilderContext context) {
        this.context = context;
        this.directory = new ImageDirectory(context.identity().imagesDir());
    }

    /** Looks at all of it. What the snapshot does not know is asked of the store itself before it goes. */
    void run(Configuration configuration, Snapshot snapshot) {
        try {
            for (LocalBuild local : directory.builds()) {
                Optional<ImageBuild> known = record(local, snapshot);
                if (local.isStray(known)) {
                    deleteStray(local);
                } else {
                    known.ifPresent(record -> deleteSurplus(local, record, configuration, snapshot));
                }
            }
        } catch (IOException failure) {
            log.warn("Cannot clean images-dir {} up: {}", directory.path(), failure.toString());
        }
    }

    private static Optional<ImageBuild> record(LocalBuild local, Snapshot snapshot) {
        return snapshot.builds(local.image()).stream()
                .filter(build -> build.id().equals(local.id()))
                .findFirst();
    }

    private void deleteStray(LocalBuild local) throws IOException {
        if (local.isStray(Answer.of(context.stores().images().readBuild(local.image(), local.id())))) {
            log.info("Deleting the files of build {} of image {}", local.id(), local.image());
            directory.delete(local.names());
        }
    }

    /** While the driver of any provider is away nobody knows which files it needs. */
    private void deleteSurplus(LocalBuild local, ImageBuild record, Configuration configuration, Snapshot snapshot) {
        boolean allKnown = configuration.providers().stream()
                .allMatch(entry -> entry.config().isPresent());
        Optional<DiskImage> image =
                allKnown ? Optional.ofNullable(configuration.diskImages().get(local.image())) : Optional.empty();
        List<String> surplus = image.map(configured -> local.surplus(
                        record, configured, ImageFacts.of(local.image(), snapshot, Set.of()), wanting(configuration)))
                .orElse(List.of());
        if (!surplus.isEmpty()) {
            log.info("Deleting {}: uploaded wherever they are wanted", surplus);
            try {
                directory.delete(surplus);
            } catch (IOException failure) {
                log.warn("Could not delete {}: {}", surplus, failure.toString());
            }
        }
    }

    private static Map<String, WantedImages> wanting(Configuration configuration) {
        Map<String, WantedImages> wanting = new LinkedHashMap<>();
        configuration
                .providers()
                .forEach(entry -> entry.config()
                        .flatMap(ProviderConfig::wantedImages)
                        .ifPresent(wanted -> wanting.put(entry.name(), wanted)));
        return wanting;
    }
}
