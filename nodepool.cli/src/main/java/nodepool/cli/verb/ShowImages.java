package nodepool.cli.verb;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.image.ImageBuild;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import nodepool.cli.output.Column;
import nodepool.cli.output.Column.Shown;
import nodepool.cli.output.Filter;
import nodepool.cli.output.Listing;

/** {@code image-status}: what operators have asked of images. */
final class ShowImages {

    /**
     * An image at a moment.
     *
     * @param requested when a build was asked for, if it was
     * @param trouble what is wrong with its newest build, if anything is
     */
    record Row(
            String image,
            boolean paused,
            Optional<Instant> requested,
            boolean building,
            Optional<String> trouble,
            Instant now) {
        Optional<String> request() {
            return requested.map(any -> building ? "building" : "pending");
        }
    }

    /** The list of images. */
    static final Listing<Row> LISTING = new Listing<>(
            List.of(
                    Column.word("image", "Image", Row::image),
                    Column.bool("paused", "Paused", Row::paused),
                    Column.text("build_request", "Build Request", Row::request),
                    Column.text(
                            "build_request_age",
                            "Build Request Age",
                            row -> row.requested.map(since -> Age.between(since, row.now))),
                    Column.<Row>of(
                                    "build_request_time",
                                    "Build Request Time",
                                    row -> row.requested
                                            .map(since -> JsonValue.of(since.getEpochSecond()))
                                            .orElse(JsonNull.NULL))
                            .shown(Shown.DOCUMENTS),
                    Column.<Row>text("trouble", "Trouble", Row::trouble).shown(Shown.DETAIL)),
            List.of(Filter.anyOf("--image", "IMAGE", "only this image", row -> List.of(row.image))));

    private ShowImages() {}

    static Verb verb() {
        return new ListVerb<>(
                Verb.named("image-status", "list image status").example("nodepool image-status"),
                LISTING,
                Optional.empty(),
                (snapshot, now, context) -> context.await(rows(context.stores(), snapshot, now)));
    }

    private static Optional<String> trouble(Snapshot snapshot, String image) {
        List<ImageBuild> builds = snapshot.builds(image);
        return builds.isEmpty()
                ? Optional.empty()
                : builds.get(builds.size() - 1).reason();
    }

    /** Every image there is, by name. */
    static CompletionStage<List<Row>> rows(Stores stores, Snapshot snapshot, Instant now) {
        CompletionStage<List<Row>> rows = CompletableFuture.completedStage(List.of());
        for (String image : new TreeSet<>(snapshot.images())) {
            CompletionStage<Optional<Instant>> requested = snapshot.isBuildRequested(image)
                    ? stores.imageMarks().requestedAt(image)
                    : CompletableFuture.completedStage(Optional.empty());
            rows = rows.thenCombine(requested, (before, since) -> {
                List<Row> more = new ArrayList<>(before);
                more.add(new Row(
                        image,
                        snapshot.isPaused(image),
                        since,
                        snapshot.isBuilding(image),
                        trouble(snapshot, image),
                        now));
                return more;
            });
        }
        return rows;
    }
}
