package nodepool.cli.verb;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.store.ImageStore;
import nodepool.cli.options.Arguments;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Option;
import nodepool.cli.options.Syntax;

/** {@code image-delete}. A builder removes the upload; this command only asks for it. */
final class DeleteUpload implements Verb {

    private static final List<String> REQUIRED = List.of("--provider", "--image", "--build-id", "--upload-id");

    private final Syntax syntax = Verb.named("image-delete", "delete an image")
            .with(
                    Option.text("PROVIDER", "where it was uploaded to", "--provider"),
                    Option.text("IMAGE", "name of the image", "--image"),
                    Option.text("BUILD", "id of the build", "--build-id"),
                    Option.text("UPLOAD", "id of the upload", "--upload-id"))
            .example("nodepool image-delete --provider east --image debian"
                    + " --build-id 6b1f6e7c2f4e4f0a9d3d1f5b0c1f2a3b --upload-id 0000000001");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException, Mistake {
        Arguments arguments = call.arguments();
        List<String> missing = new ArrayList<>(REQUIRED);
        missing.removeIf(option -> arguments.value(option).isPresent());
        if (!missing.isEmpty()) {
            throw new Mistake("the following arguments are required: " + String.join(", ", missing));
        }
        ImageStore images = call.context().stores().images();
        boolean done = false;
        while (!done) {
            ImageUpload found = find(call);
            if (found.state() == ImageState.UPLOADING) {
                throw CommandException.no("Cannot delete because image upload in progress");
            }
            done = call.context().await(images.writeIfUnchanged(found.withState(ImageState.DELETING, call.now())));
        }
        return 0;
    }

    private static ImageUpload find(Call call) throws CommandException {
        Arguments arguments = call.arguments();
        Optional<ImageUpload> shown = call
                .context()
                .snapshot()
                .uploads(arguments.value("--image").orElse(""))
                .stream()
                .filter(upload -> upload.provider()
                                .equals(arguments.value("--provider").orElse(""))
                        && upload.buildId().equals(arguments.value("--build-id").orElse(""))
                        && upload.id().equals(arguments.value("--upload-id").orElse("")))
                .findFirst();
        Optional<ImageUpload> found = shown.isPresent()
                ? call.context().await(call.context().stores().images().readUpload(shown.get()))
                : Optional.empty();
        return found.orElseThrow(() -> CommandException.no("Image upload not found"));
    }
}
