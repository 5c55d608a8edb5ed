package nodepool.builder.decision;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.store.Snapshot;

/**
 * All that the store knows of one image.
 *
 * @param image its name
 * @param paused by command
 * @param requested whether a build was asked for by command
 * @param building whether anybody holds the lock that guards building it
 * @param builds in any state, oldest first
 * @param uploads in any state, oldest first
 * @param uploading builds and providers between which somebody holds the lock that guards uploading
 */
public record ImageFacts(
        String image,
        boolean paused,
        boolean requested,
        boolean building,
        List<ImageBuild> builds,
        List<ImageUpload> uploads,
        Set<Route> uploading) {

    /** From a build to a provider. */
    public record Route(String buildId, String provider) {
        static Route of(ImageUpload upload) {
            return new Route(upload.buildId(), upload.provider());
        }
    }

    public ImageFacts {
        builds = sorted(builds, Comparator.comparing(ImageBuild::stateTime));
        uploads = sorted(uploads, Comparator.comparing(ImageUpload::stateTime));
        uploading = Set.copyOf(uploading);
    }

    private static <T> List<T> sorted(List<T> records, Comparator<T> order) {
        return records.stream().sorted(order).toList();
    }

    /**
     * What the snapshot says of that image.
     *
     * @param providers whose uploads may be under way without a record yet
     */
    public static ImageFacts of(String image, Snapshot snapshot, Set<String> providers) {
        Set<Route> uploading = snapshot.builds(image).stream()
                .flatMap(build -> providers.stream()
                        .filter(provider -> snapshot.isUploading(image, build.id(), provider))
                        .map(provider -> new Route(build.id(), provider)))
                .collect(Collectors.toSet());
        return new ImageFacts(
                image,
                snapshot.isPaused(image),
                snapshot.isBuildRequested(image),
                snapshot.isBuilding(image),
                snapshot.builds(image),
                snapshot.uploads(image),
                uploading);
    }

    /** As it is for whoever holds the lock that guards building it. */
    public ImageFacts unlocked() {
        return new ImageFacts(image, paused, requested, false, builds, uploads, uploading);
    }

    /** The ready builds, newest first. */
    public List<ImageBuild> readyBuilds() {
        return builds.stream()
                .filter(build -> build.state() == ImageState.READY)
                .sorted(Comparator.comparing(ImageBuild::stateTime).reversed())
                .toList();
    }

    /** The build that is uploaded and launched from, if any is ready. */
    public Optional<ImageBuild> newestReady() {
        return readyBuilds().stream().findFirst();
    }

    List<ImageUpload> uploadsOf(ImageBuild build) {
        return uploads.stream()
                .filter(upload -> upload.buildId().equals(build.id()))
                .toList();
    }
}
