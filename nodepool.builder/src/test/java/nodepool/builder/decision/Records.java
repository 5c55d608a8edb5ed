package nodepool.builder.decision;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import nodepool.api.config.DiskImage;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageLogin;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.Stored;

/** Records to decide on. */
final class Records {

    static final Instant NOW = Instant.ofEpochSecond(1_726_600_000);
    static final ImageLogin LOGIN = new ImageLogin(Optional.of("zuul"), Optional.of("auto"), Optional.empty());

    private Records() {}

    static DiskImage image(boolean paused) {
        return new DiskImage(
                "debian",
                List.of(),
                Map.of(),
                List.of(),
                List.of(),
                false,
                paused,
                Duration.ofDays(1),
                Duration.ofHours(8),
                "",
                LOGIN,
                "disk-image-create",
                Map.of());
    }

    static DiskImage withKeptFormats(String... formats) {
        DiskImage image = image(false);
        return new DiskImage(
                image.name(),
                image.elements(),
                image.environment(),
                image.formats(),
                List.of(formats),
                true,
                false,
                image.rebuildAge(),
                image.buildTimeout(),
                image.release(),
                image.login(),
                image.command(),
                image.metadata());
    }

    static BuildWish wish(String... formats) {
        return new BuildWish(image(false), new TreeSet<>(Arrays.asList(formats)));
    }

    /** A build of qcow2, so many hours old. */
    static ImageBuild build(int id, ImageState state, int age) {
        return new ImageBuild(
                "debian",
                id(id),
                state,
                NOW.minus(Duration.ofHours(age)),
                Optional.of("nb01"),
                Optional.empty(),
                List.of("qcow2"),
                LOGIN,
                Stored.NEVER);
    }

    static String id(int build) {
        return "%032x".formatted(build);
    }

    static ImageUpload upload(int build, String provider, int id, ImageState state, int age) {
        return new ImageUpload(
                "debian",
                id(build),
                provider,
                "%010d".formatted(id),
                state,
                NOW.minus(Duration.ofHours(age)),
                state == ImageState.READY ? Optional.of("ext-" + build + "-" + id) : Optional.empty(),
                Optional.empty(),
                Optional.of("qcow2"),
                LOGIN,
                Stored.NEVER);
    }

    static ImageFacts facts(List<ImageBuild> builds, ImageUpload... uploads) {
        return new ImageFacts("debian", false, false, false, builds, List.of(uploads), Set.of());
    }

    static ImageFacts requested(ImageFacts facts) {
        return new ImageFacts(
                facts.image(), facts.paused(), true, facts.building(), facts.builds(), facts.uploads(), Set.of());
    }

    static ImageFacts paused(ImageFacts facts) {
        return new ImageFacts(
                facts.image(), true, facts.requested(), facts.building(), facts.builds(), facts.uploads(), Set.of());
    }

    static ImageFacts building(ImageFacts facts) {
        return new ImageFacts(
                facts.image(), facts.paused(), facts.requested(), true, facts.builds(), facts.uploads(), Set.of());
    }

    static ImageFacts uploading(ImageFacts facts, int build, String provider) {
        return new ImageFacts(
                facts.image(),
                facts.paused(),
                facts.requested(),
                facts.building(),
                facts.builds(),
                facts.uploads(),
                Set.of(new ImageFacts.Route(id(build), provider)));
    }
}
