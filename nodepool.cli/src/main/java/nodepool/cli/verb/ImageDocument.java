package nodepool.cli.verb;

import java.time.Instant;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.store.Snapshot;

/** Everything that is stored of an image: its marks, its builds and their uploads. */
final class ImageDocument {

    private ImageDocument() {}

    static JsonObject of(String image, Snapshot snapshot, Instant now) {
        return new Document()
                .put("image", image)
                .put("paused", snapshot.isPaused(image))
                .put("build_requested", snapshot.isBuildRequested(image))
                .put("building", snapshot.isBuilding(image))
                .putAll(
                        "builds",
                        snapshot.builds(image).stream()
                                .map(build -> build(build, snapshot, now))
                                .toList())
                .end();
    }

    private static JsonObject build(ImageBuild build, Snapshot snapshot, Instant now) {
        return new Document()
                .put("id", build.id())
                .put("state", build.state().wireName())
                .put("state_time", build.stateTime())
                .put("age", Age.between(build.stateTime(), now))
                .put("builder", build.builder())
                .put("builder_id", build.builderId())
                .put("formats", build.formats())
                .put("username", build.login().username())
                .put("python_path", build.login().pythonPath())
                .put("shell_type", build.login().shellType())
                .putAll(
                        "uploads",
                        snapshot.uploads(build.image()).stream()
                                .filter(upload -> upload.buildId().equals(build.id()))
                                .map(upload -> upload(upload, now))
                                .toList())
                .end();
    }

    private static JsonObject upload(ImageUpload upload, Instant now) {
        return new Document()
                .put("id", upload.id())
                .put("provider", upload.provider())
                .put("state", upload.state().wireName())
                .put("state_time", upload.stateTime())
                .put("age", Age.between(upload.stateTime(), now))
                .put("external_id", upload.externalId())
                .put("external_name", upload.externalName())
                .put("format", upload.format())
                .end();
    }
}
