package nodepool.cli.verb;

import nodepool.api.store.ImageMarks;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;

/** {@code image-pause} and {@code image-unpause}. */
final class PauseImage implements Verb {

    private final boolean pause;
    private final Syntax syntax;

    private PauseImage(boolean pause, Syntax syntax) {
        this.pause = pause;
        this.syntax = syntax;
    }

    static PauseImage pausing() {
        return new PauseImage(
                true,
                Verb.named("image-pause", "pause an image")
                        .with(Positional.one("IMAGE", "neither built on schedule nor on request from now on"))
                        .example("nodepool image-pause debian"));
    }

    static PauseImage unpausing() {
        return new PauseImage(
                false,
                Verb.named("image-unpause", "unpause an image")
                        .with(Positional.one("IMAGE", "built again from now on"))
                        .example("nodepool image-unpause debian"));
    }

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        String image = call.arguments().word();
        boolean known = call.context().snapshot().images().contains(image)
                || call.context()
                        .configuration()
                        .filter(configuration -> configuration.diskImages().containsKey(image))
                        .isPresent();
        if (!known) {
            throw CommandException.no("Image " + image + " not found");
        }
        ImageMarks marks = call.context().stores().imageMarks();
        call.context().await(pause ? marks.pause(image) : marks.unpause(image));
        return 0;
    }
}
