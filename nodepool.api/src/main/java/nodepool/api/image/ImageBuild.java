package nodepool.api.image;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import nodepool.api.json.Stored;

/**
 * One build of a disk image.
 *
 * @param image name of the image
 * @param id 32 lower-case hex digits; ten digits for builds made before 2023
 * @param state where it stands
 * @param stateTime when {@code state} was assigned; taken as the build's age
 * @param builder host that built it
 * @param builderId identity of that builder's image folder
 * @param formats as built, sorted; empty while building and when failed
 * @param login what users of the image are told
 * @param reason why it stands there, in words for an operator, if there is anything to say
 * @param stored how it lies in the store
 */
public record ImageBuild(
        String image,
        String id,
        ImageState state,
        Instant stateTime,
        Optional<String> builder,
        Optional<String> builderId,
        List<String> formats,
        ImageLogin login,
        Optional<String> reason,
        Stored stored) {

    public ImageBuild {
        formats = List.copyOf(formats);
    }

    /** One of which there is nothing to say. */
    public ImageBuild(
            String image,
            String id,
            ImageState state,
            Instant stateTime,
            Optional<String> builder,
            Optional<String> builderId,
            List<String> formats,
            ImageLogin login,
            Stored stored) {
        this(image, id, state, stateTime, builder, builderId, formats, login, Optional.empty(), stored);
    }

    /** With another state, assigned at that time. */
    public ImageBuild withState(ImageState next, Instant at) {
        return new ImageBuild(image, id, next, at, builder, builderId, formats, login, reason, stored);
    }

    /** The same, with something to say of it. */
    public ImageBuild because(String why) {
        return new ImageBuild(
                image, id, state, stateTime, builder, builderId, formats, login, Optional.of(why), stored);
    }
}
