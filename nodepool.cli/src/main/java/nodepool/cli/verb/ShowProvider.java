package nodepool.cli.verb;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import nodepool.api.image.ImageUpload;
import nodepool.api.node.Node;
import nodepool.api.store.Snapshot;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.Column;
import nodepool.cli.output.Format;

/** {@code info}: the provider's records in ZooKeeper. */
final class ShowProvider implements Verb {

    private record UploadedBuild(String image, String build, List<String> uploads) {}

    private static final List<Column<UploadedBuild>> BUILDS = List.of(
            Column.word("image", "Image Name", UploadedBuild::image),
            Column.word("build", "Build ID", UploadedBuild::build),
            Column.texts("uploads", "Upload IDs", UploadedBuild::uploads));
    private static final List<Column<Node>> NODES = List.of(
            Column.word("id", "ID", Node::id),
            Column.text("server_id", "Server ID", node -> node.machine().externalId()));

    private final Syntax syntax = Verb.named("info", "show provider data from ZooKeeper")
            .with(Positional.one("PROVIDER", "name of the provider"))
            .example("nodepool info east");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        String provider = call.arguments().word();
        Snapshot snapshot = call.context().snapshot();
        call.out().println("ZooKeeper data for provider " + provider + "\n");
        call.out().println("Image data:");
        Format.TABLE.write(BUILDS, builds(snapshot, provider), true, call.out());
        call.out().println("\nNodes:");
        Format.TABLE.write(NODES, List.copyOf(snapshot.nodesOf(provider)), true, call.out());
        return 0;
    }

    private static List<UploadedBuild> builds(Snapshot snapshot, String provider) {
        List<UploadedBuild> rows = new ArrayList<>();
        for (String image : new TreeSet<>(snapshot.images())) {
            List<ImageUpload> uploads = snapshot.uploads(image).stream()
                    .filter(upload -> upload.provider().equals(provider))
                    .toList();
            for (String build :
                    new TreeSet<>(uploads.stream().map(ImageUpload::buildId).toList())) {
                rows.add(new UploadedBuild(
                        image,
                        build,
                        uploads.stream()
                                .filter(upload -> upload.buildId().equals(build))
                                .map(ImageUpload::id)
                                .sorted()
                                .toList()));
            }
        }
        return rows;
    }
}
