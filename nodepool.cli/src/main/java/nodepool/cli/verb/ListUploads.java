package nodepool.cli.verb;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.JsonValue;
import nodepool.api.store.Snapshot;
import nodepool.cli.output.Column;
import nodepool.cli.output.Column.Shown;
import nodepool.cli.output.Filter;
import nodepool.cli.output.Listing;

/** {@code image-list}. */
final class ListUploads {

    /** An upload at a moment. */
    record Row(ImageUpload upload, Instant now) {}

    /** The list of uploads. */
    static final Listing<Row> LISTING = new Listing<>(
            List.of(
                    Column.word("id", "Build ID", row -> row.upload.buildId()),
                    Column.word("upload_id", "Upload ID", row -> row.upload.id()),
                    Column.word("provider", "Provider", row -> row.upload.provider()),
                    Column.word("image", "Image", row -> row.upload.image()),
                    Column.text("external_name", "Provider Image Name", row -> row.upload.externalName()),
                    Column.text("external_id", "Provider Image ID", row -> row.upload.externalId()),
                    Column.word("state", "State", row -> row.upload.state().wireName()),
                    Column.<Row>word("age", "Age", row -> Age.between(row.upload.stateTime(), row.now))
                            .orderedBy(row -> JsonValue.of(Duration.between(row.upload.stateTime(), row.now)
                                    .toSeconds())),
                    Column.<Row>text("format", "Format", row -> row.upload.format())
                            .shown(Shown.DETAIL),
                    Column.<Row>text("reason", "Reason", row -> row.upload.reason())
                            .shown(Shown.DETAIL),
                    Column.<Row>number(
                                    "state_time",
                                    "State Time",
                                    row -> row.upload.stateTime().getEpochSecond())
                            .shown(Shown.DOCUMENTS)),
            List.of(
                    Filter.anyOf("--image", "IMAGE", "only uploads of this image", row -> List.of(row.upload.image())),
                    Filter.anyOf(
                            "--provider",
                            "PROVIDER",
                            "only uploads to this provider",
                            row -> List.of(row.upload.provider())),
                    Filter.state(
                            List.of("uploading", "ready", "deleting", "failed"),
                            row -> row.upload.state().wireName())));

    private ListUploads() {}

    static Verb verb() {
        return new ListVerb<>(
                Verb.named("image-list", "list images from providers")
                        .example("nodepool image-list --provider east --state ready"),
                LISTING,
                Optional.of("upload"),
                (snapshot, now, context) -> rows(snapshot, now));
    }

    /** Every upload, by image, oldest first. */
    static List<Row> rows(Snapshot snapshot, Instant now) {
        List<Row> rows = new ArrayList<>();
        for (String image : new TreeSet<>(snapshot.images())) {
            snapshot.uploads(image).forEach(upload -> rows.add(new Row(upload, now)));
        }
        return rows;
    }
}
