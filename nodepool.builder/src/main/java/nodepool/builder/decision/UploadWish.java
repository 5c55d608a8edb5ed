package nodepool.builder.decision;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import nodepool.api.config.DiskImage;
import nodepool.api.driver.WantedImages;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageState;

/**
 * An upload that is to be made.
 *
 * @param build the newest ready one of its image, with its file here
 * @param provider where to
 * @param image as configured
 * @param wanted how that provider takes images
 * @param entry of the image at that provider
 */
public record UploadWish(
        ImageBuild build, String provider, DiskImage image, WantedImages wanted, WantedImages.Entry entry) {

    /**
     * The uploads that provider still lacks, in the order of its entry.
     *
     * @param images of the configuration
     * @param facts of the store
     * @param filesHere formats of the files of a build that are on this machine
     */
    public static List<UploadWish> of(
            String provider,
            WantedImages wanted,
            Function<String, java.util.Optional<DiskImage>> images,
            Function<String, ImageFacts> facts,
            Function<ImageBuild, Set<String>> filesHere) {
        List<UploadWish> wishes = new ArrayList<>();
        for (WantedImages.Entry entry : wanted.entries()) {
            if (!entry.paused()) {
                ImageFacts known = facts.apply(entry.image());
                images.apply(entry.image())
                        .flatMap(image -> known.newestReady()
                                .filter(build -> build.formats().contains(wanted.format()))
                                .filter(build -> isLacking(known, build, provider))
                                .filter(build -> filesHere.apply(build).contains(wanted.format()))
                                .map(build -> new UploadWish(build, provider, image, wanted, entry)))
                        .ifPresent(wishes::add);
            }
        }
        return wishes;
    }

    /** One that somebody makes right now, or has died over, is not made again until its record is settled. */
    private static boolean isLacking(ImageFacts facts, ImageBuild build, String provider) {
        return !facts.uploading().contains(new ImageFacts.Route(build.id(), provider))
                && facts.uploadsOf(build).stream()
                        .filter(upload -> upload.provider().equals(provider))
                        .noneMatch(
                                upload -> upload.state() == ImageState.READY || upload.state() == ImageState.UPLOADING);
    }

    /** What distinguishes it from other uploads under way. */
    public ImageFacts.Route route() {
        return new ImageFacts.Route(build.id(), provider);
    }
}
