package nodepool.cli.verb;

import java.util.Optional;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageState;
import nodepool.api.store.ImageStore;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;

/** {@code dib-image-delete}. A builder removes the build, its files and all its uploads; this command only asks for it. */
final class DeleteBuild implements Verb {

    private final Syntax syntax = Verb.named("dib-image-delete", "delete a dib built image")
            .with(Positional.one("ID", "of the build, as dib-image-list shows it: image-build"))
            .example("nodepool dib-image-delete debian-6b1f6e7c2f4e4f0a9d3d1f5b0c1f2a3b");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        String id = call.arguments().word();
        int hyphen = id.lastIndexOf('-');
        if (hyphen < 0) {
            throw CommandException.no("Build " + id + " not found");
        }
        ImageStore images = call.context().stores().images();
        boolean done = false;
        while (!done) {
            Optional<ImageBuild> found =
                    call.context().await(images.readBuild(id.substring(0, hyphen), id.substring(hyphen + 1)));
            if (found.isEmpty()) {
                throw CommandException.no("Build " + id + " not found");
            }
            if (found.get().state() == ImageState.BUILDING) {
                throw CommandException.no("Cannot delete a build in progress");
            }
            done = call.context()
                    .await(images.writeIfUnchanged(found.get().withState(ImageState.DELETING, call.now())));
        }
        return 0;
    }
}
