package nodepool.builder;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import nodepool.api.event.EventListener;
import nodepool.api.store.Stores;
import nodepool.builder.dib.Installation;

/**
 * What all parts of one builder share.
 *
 * @param identity who it is
 * @param stores the shared state
 * @param clock the time
 * @param random new ids
 * @param installation what is run
 * @param environment of this process, handed on to commands
 * @param events told of what has ended
 */
record BuilderContext(
        Identity identity,
        Stores stores,
        Clock clock,
        Supplier<UUID> random,
        Installation installation,
        Map<String, String> environment,
        EventListener events) {

    /**
     * Who a builder is.
     *
     * @param hostname fully qualified
     * @param id of its images directory
     * @param imagesDir where it keeps images
     */
    record Identity(String hostname, String id, Path imagesDir) {}

    BuilderContext {
        environment = Map.copyOf(environment);
    }
}
