package nodepool.itest.fleet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Everything that one record has ever said. */
final class Story {

    /** What a record said from one change to the next. */
    record Version(Change change, Document document) {}

    private final String id;
    private final boolean ephemeral;
    private final List<Version> versions = new ArrayList<>();
    private Optional<Change> end = Optional.empty();

    private Story(String id, boolean ephemeral) {
        this.id = id;
        this.ephemeral = ephemeral;
    }

    /** By id, the stories of all children of a folder, in the order of their beginnings. */
    static Map<String, Story> of(List<Change> changes, String folder) {
        Map<String, Story> stories = new LinkedHashMap<>();
        for (Change change : changes) {
            String id = change.path().startsWith(folder + "/") ? change.path().substring(folder.length() + 1) : "";
            if (id.isEmpty() || id.contains("/")) {
                continue;
            }
            Story story = stories.computeIfAbsent(id, first -> new Story(first, change.ephemeral()));
            if (change.kind() == Change.Kind.DELETED) {
                story.end = Optional.of(change);
            } else {
                story.versions.add(new Version(change, Document.parse(change.data())));
            }
        }
        return stories;
    }

    String id() {
        return id;
    }

    /** Whether it goes with its session. */
    boolean isEphemeral() {
        return ephemeral;
    }

    List<Version> versions() {
        return versions;
    }

    Optional<Change> end() {
        return end;
    }

    boolean isThereAfter(long zxid) {
        return after(zxid).isPresent();
    }

    /** What it said once that transaction was through; absent if there was no such record. */
    Optional<Document> after(long zxid) {
        if (end.filter(change -> change.zxid() <= zxid).isPresent()) {
            return Optional.empty();
        }
        Optional<Document> last = Optional.empty();
        for (Version version : versions) {
            if (version.change().zxid() <= zxid) {
                last = Optional.of(version.document());
            }
        }
        return last;
    }

    /** The last thing it said at that moment or before; absent if it had said nothing yet. */
    Optional<Document> at(Instant moment) {
        Optional<Document> last = Optional.empty();
        for (Version version : versions) {
            if (!version.change().at().isAfter(moment)) {
                last = Optional.of(version.document());
            }
        }
        return last;
    }

    /** One line for each thing it said: when, by which session, its state and whose it was. */
    String tell() {
        return versions.stream()
                .map(version -> "    %s %x %x %s allocated to %s of %s"
                        .formatted(
                                version.change().at(),
                                version.change().zxid(),
                                version.change().session(),
                                version.document().state(),
                                version.document().text("allocated_to").orElse("nobody"),
                                version.document().text("tenant_name").orElse("no tenant")))
                .collect(Collectors.joining("\n"));
    }
}
