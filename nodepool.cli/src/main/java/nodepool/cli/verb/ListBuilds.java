package nodepool.cli.verb;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import nodepool.api.image.ImageBuild;
import nodepool.api.json.JsonValue;
import nodepool.api.store.Snapshot;
import nodepool.cli.output.Column;
import nodepool.cli.output.Column.Shown;
import nodepool.cli.output.Filter;
import nodepool.cli.output.Listing;

/** {@code dib-image-list}. */
final class ListBuilds {

    /** A build, and whether its image is paused, which then is shown in place of its state. */
    record Row(ImageBuild build, boolean paused, Instant now) {
        String state() {
            return paused ? "paused" : build.state().wireName();
        }
    }

    /** The list of builds. */
    static final Listing<Row> LISTING = new Listing<>(
            List.of(
                    Column.word("id", "ID", row -> row.build.image() + "-" + row.build.id()),
                    Column.word("image", "Image", row -> row.build.image()),
                    Column.text("builder", "Builder", row -> row.build.builder()),
                    Column.texts("formats", "Formats", row -> row.build.formats()),
                    Column.word("state", "State", Row::state),
                    Column.<Row>word("age", "Age", row -> Age.between(row.build.stateTime(), row.now))
                            .orderedBy(row -> JsonValue.of(Duration.between(row.build.stateTime(), row.now)
                                    .toSeconds())),
                    Column.<Row>word(
                                    "build_state",
                                    "Build State",
                                    row -> row.build.state().wireName())
                            .shown(Shown.DETAIL),
                    Column.<Row>text("builder_id", "Builder ID", row -> row.build.builderId())
                            .shown(Shown.DETAIL),
                    Column.<Row>text("reason", "Reason", row -> row.build.reason())
                            .shown(Shown.DETAIL),
                    Column.<Row>number(
                                    "state_time",
                                    "State Time",
                                    row -> row.build.stateTime().getEpochSecond())
                            .shown(Shown.DOCUMENTS)),
            List.of(
                    Filter.anyOf("--image", "IMAGE", "only builds of this image", row -> List.of(row.build.image())),
                    Filter.state(List.of("building", "ready", "deleting", "failed", "paused"), Row::state),
                    Filter.anyOf(
                            "--builder",
                            "HOST",
                            "only builds made there",
                            row -> row.build.builder().stream().toList())));

    private ListBuilds() {}

    static Verb verb() {
        return new ListVerb<>(
                Verb.named("dib-image-list", "list images built with diskimage-builder")
                        .example("nodepool dib-image-list --image debian --state ready"),
                LISTING,
                Optional.of("build"),
                (snapshot, now, context) -> rows(snapshot, now));
    }

    /** Every build, by image, oldest first. */
    static List<Row> rows(Snapshot snapshot, Instant now) {
        List<Row> rows = new ArrayList<>();
        for (String image : new TreeSet<>(snapshot.images())) {
            snapshot.builds(image).forEach(build -> rows.add(new Row(build, snapshot.isPaused(image), now)));
        }
        return rows;
    }
}
