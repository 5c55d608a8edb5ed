package nodepool.cli.verb;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import nodepool.api.store.Snapshot;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.Column;
import nodepool.cli.output.Listing;

/** {@code image-status}: what operators have asked of images. */
final class ShowImages implements Verb {

    /** @param requested when a build was asked for, if it was */
    private record Row(String image, boolean paused, Optional<Instant> requested, boolean building, Instant now) {
        Optional<String> request() {
            return requested.map(any -> building ? "building" : "pending");
        }
    }

    private static final Listing<Row> LISTING = new Listing<>(
            List.of(
                    Column.word("image", "Image", Row::image),
                    Column.bool("paused", "Paused", Row::paused),
                    Column.text("build_request", "Build Request", Row::request),
                    Column.text(
                            "build_request_age",
                            "Build Request Age",
                            row -> row.requested.map(since -> Age.between(since, row.now)))),
            List.of());

    private final Syntax syntax =
            LISTING.addTo(Verb.named("image-status", "list image status")).example("nodepool image-status");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException, Mistake {
        Listing.View<Row> view = LISTING.view(call.arguments());
        Snapshot snapshot = call.context().snapshot();
        List<Row> rows = new ArrayList<>();
        for (String image : new TreeSet<>(snapshot.images())) {
            Optional<Instant> requested = snapshot.isBuildRequested(image)
                    ? call.context().await(call.context().stores().imageMarks().requestedAt(image))
                    : Optional.empty();
            rows.add(new Row(image, snapshot.isPaused(image), requested, snapshot.isBuilding(image), call.now()));
        }
        view.print(rows, call.out());
        return 0;
    }
}
