package nodepool.api.image;

import java.time.Instant;
import java.util.Optional;
import nodepool.api.json.Stored;

/**
 * One upload of a build to a provider.
 *
 * @param image name of the image
 * @param buildId the build it comes from
 * @param provider where it was uploaded to
 * @param id ten digits, counted per build and provider
 * @param state where it stands
 * @param stateTime when {@code state} was assigned; the newest ready upload is used for launches
 * @param externalId the provider's id, needed to launch from it and to delete it
 * @param externalName its name there
 * @param format as uploaded
 * @param login what users of the image are told
 * @param reason why it stands there, in words for an operator, if there is anything to say
 * @param stored how it lies in the store
 */
public record ImageUpload(
        String image,
        String buildId,
        String provider,
        String id,
        ImageState state,
        Instant stateTime,
        Optional<String> externalId,
        Optional<String> externalName,
        Optional<String> format,
        ImageLogin login,
        Optional<String> reason,
        Stored stored) {

    /** One of which there is nothing to say. */
    public ImageUpload(
            String image,
            String buildId,
            String provider,
            String id,
            ImageState state,
            Instant stateTime,
            Optional<String> externalId,
            Optional<String> externalName,
            Optional<String> format,
            ImageLogin login,
            Stored stored) {
        this(
                image,
                buildId,
                provider,
                id,
                state,
                stateTime,
                externalId,
                externalName,
                format,
                login,
                Optional.empty(),
                stored);
    }

    /** With another state, assigned at that time. */
    public ImageUpload withState(ImageState next, Instant at) {
        return new ImageUpload(
                image, buildId, provider, id, next, at, externalId, externalName, format, login, reason, stored);
    }

    /** The same, with something to say of it. */
    public ImageUpload because(String why) {
        return new ImageUpload(
                image,
                buildId,
                provider,
                id,
                state,
                stateTime,
                externalId,
                externalName,
                format,
                login,
                Optional.of(why),
                stored);
    }

    /** Where the upload's record lies, which is what {@code image_id} of a node made from it holds. */
    public String path() {
        return "/nodepool/images/" + image + "/builds/" + buildId + "/providers/" + provider + "/images/" + id;
    }
}
