package nodepool.builder.decision;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;

/**
 * Something to be withdrawn. Every builder withdraws what it can, whoever built or uploaded it; each does the next step only,
 * and the records it leaves behind lead to the one after that.
 */
public sealed interface Withdrawal {

    /** How many ready builds stay, and how many ready uploads per provider. */
    int KEPT = 2;

    /** Mark it as being deleted, delete it in the cloud, remove its record. */
    record OfUpload(ImageUpload upload) implements Withdrawal {}

    /** Mark it as being deleted, so that its files may go. */
    record OfBuild(ImageBuild build) implements Withdrawal {}

    /** Remove its record: nothing is left of it but files, which go without. */
    record OfBuildRecord(ImageBuild build) implements Withdrawal {}

    /** Remove the entry of an image that nobody knows. */
    record OfImage(String image) implements Withdrawal {}

    /**
     * What is to be withdrawn of one image.
     *
     * @param configured whether the image is in this builder's configuration
     * @param listed for each configured provider that manages images, whether it lists this one. Of others nothing is known,
     *     so nothing of theirs is withdrawn
     */
    static List<Withdrawal> of(ImageFacts facts, boolean configured, Map<String, Boolean> listed) {
        List<Withdrawal> all = new ArrayList<>();
        Set<ImageUpload> recent = recentUploads(facts);
        List<ImageBuild> kept =
                configured ? facts.readyBuilds().stream().limit(KEPT).toList() : List.of();
        for (ImageBuild build : facts.builds()) {
            List<ImageUpload> uploads = facts.uploadsOf(build);
            boolean stays = build.state() != ImageState.DELETING
                    && (kept.contains(build) || isUnderWay(build, facts) || isLastFailure(build, facts, configured));
            for (ImageUpload upload : uploads) {
                Boolean listsIt = listed.get(upload.provider());
                if (listsIt != null && !isUnderWay(upload, facts)) {
                    boolean goes = !listsIt || (stays ? isCruft(upload, uploads) : !recent.contains(upload));
                    if (goes) {
                        all.add(new OfUpload(upload));
                    }
                }
            }
            if (!stays && uploads.stream().allMatch(upload -> upload.state() == ImageState.DELETING)) {
                if (build.state() != ImageState.DELETING) {
                    all.add(new OfBuild(build));
                } else if (uploads.isEmpty()) {
                    all.add(new OfBuildRecord(build));
                }
            }
        }
        if (!configured && facts.builds().isEmpty() && !facts.paused() && !facts.requested() && !facts.building()) {
            all.add(new OfImage(facts.image()));
        }
        return all;
    }

    /** The newest ready uploads to each provider, of ready builds. */
    private static Set<ImageUpload> recentUploads(ImageFacts facts) {
        Set<String> readyBuilds = new HashSet<>();
        facts.readyBuilds().forEach(build -> readyBuilds.add(build.id()));
        Set<ImageUpload> recent = new HashSet<>();
        facts.uploads().stream()
                .map(ImageUpload::provider)
                .distinct()
                .forEach(provider -> facts.uploads().stream()
                        .filter(upload -> upload.provider().equals(provider)
                                && upload.state() == ImageState.READY
                                && readyBuilds.contains(upload.buildId()))
                        .sorted(Comparator.comparing(ImageUpload::stateTime).reversed())
                        .limit(KEPT)
                        .forEach(recent::add));
        return recent;
    }

    /** Whether its builder is alive. */
    private static boolean isUnderWay(ImageBuild build, ImageFacts facts) {
        return build.state() == ImageState.BUILDING && facts.building();
    }

    /** Whether its uploader is alive. */
    private static boolean isUnderWay(ImageUpload upload, ImageFacts facts) {
        return upload.state() == ImageState.UPLOADING && facts.uploading().contains(ImageFacts.Route.of(upload));
    }

    /** A failure is shown until something newer is there to look at. */
    private static boolean isLastFailure(ImageBuild build, ImageFacts facts, boolean configured) {
        return configured
                && build.state() == ImageState.FAILED
                && facts.builds().get(facts.builds().size() - 1).equals(build);
    }

    /** What nobody needs below a build that stays; its last failure is shown until the next attempt. */
    private static boolean isCruft(ImageUpload upload, List<ImageUpload> siblings) {
        return switch (upload.state()) {
            case UPLOADING, DELETING -> true;
            case FAILED ->
                upload.externalId().isPresent()
                        || siblings.stream()
                                .anyMatch(other -> other.provider().equals(upload.provider())
                                        && other.id().compareTo(upload.id()) > 0);
            case READY, BUILDING -> false;
        };
    }
}
