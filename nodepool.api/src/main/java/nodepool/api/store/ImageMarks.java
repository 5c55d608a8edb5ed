package nodepool.api.store;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What operators ask of images. A mark carries no data: that it is there is the message; {@link Snapshot} shows it. The rules
 * of {@link RequestStore} hold here too.
 */
@ProviderType
public interface ImageMarks {

    /** Building that image is paused from now on. Repeating it does nothing. */
    CompletionStage<Void> pause(String image);

    /** Building that image is no longer paused. Repeating it does nothing. */
    CompletionStage<Void> unpause(String image);

    /** Asks for a build of that image. Repeating it does nothing. */
    CompletionStage<Void> requestBuild(String image);

    /** When a build of that image was asked for, by the store's clock; absent if none is asked for. */
    CompletionStage<Optional<Instant>> requestedAt(String image);

    /** The build that was asked for is there. */
    CompletionStage<Void> fulfilBuild(String image);
}
