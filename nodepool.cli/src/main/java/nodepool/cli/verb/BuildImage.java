package nodepool.cli.verb;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import nodepool.api.config.Configuration;
import nodepool.api.config.DiskImage;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageState;
import nodepool.api.registry.Registration;
import nodepool.api.store.Snapshot;
import nodepool.cli.options.Option;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;

/** {@code image-build}. */
final class BuildImage implements Verb {

    private final Syntax syntax = Verb.named("image-build", "build image using diskimage-builder")
            .with(Option.flag("wait until it is built or has failed, and tell how it goes", "--wait"))
            .with(Positional.one("IMAGE", "name of the image"))
            .example("nodepool image-build debian --wait");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        String name = call.arguments().word();
        Optional<DiskImage> configured = call.context()
                .configuration()
                .flatMap(configuration ->
                        Optional.ofNullable(configuration.diskImages().get(name)));
        if (configured.isEmpty()) {
            throw CommandException.failed("Trying to build a non disk-image-builder image: " + name);
        }
        if (configured.get().paused()) {
            throw CommandException.failed("Skipping build request for image " + name + "; paused");
        }
        Snapshot before = call.context().snapshot();
        if (before.isPaused(name)) {
            tell(call, "image " + name + " is paused; it is built after nodepool image-unpause " + name);
        }
        if (before.components().stream().noneMatch(one -> one.kind() == Registration.Kind.BUILDER)) {
            tell(call, "no builder is registered; the request waits for one");
        }
        Set<String> known = ids(before, name);
        call.context().await(call.context().stores().imageMarks().requestBuild(name));
        return call.arguments().has("--wait") ? follow(call, name, known) : 0;
    }

    private static Set<String> ids(Snapshot snapshot, String image) {
        Set<String> ids = new HashSet<>();
        snapshot.builds(image).forEach(build -> ids.add(build.id()));
        return ids;
    }

    private static void tell(Call call, String line) {
        call.err().println(line);
        call.err().flush();
    }

    /** The first build that was not known before is the one to watch. */
    private static int follow(Call call, String image, Set<String> known) throws CommandException {
        ImageBuild begun = SnapshotWatch.until(
                call.context(),
                "waiting for a builder to begin",
                seen -> seen.builds(image).stream()
                        .filter(build -> !known.contains(build.id()))
                        .findFirst());
        tell(
                call,
                "building " + image + "-" + begun.id() + " on "
                        + begun.builder().orElse("an unknown host"));
        ImageBuild ended = awaitEnd(call, begun, log(call, begun));
        call.out().println(image + "-" + ended.id() + " is " + ended.state().wireName());
        ended.reason().ifPresent(why -> tell(call, why));
        return ended.state() == ImageState.READY ? 0 : 1;
    }

    /** Where the log is on the machine of its builder, which may be this one. */
    private static Path log(Call call, ImageBuild build) throws CommandException {
        return call.context()
                .configuration()
                .map(Configuration::builder)
                .map(settings -> settings.buildLogDir().resolve(build.image() + "-" + build.id() + ".log"))
                .orElseThrow(() -> CommandException.failed("the configuration is gone"));
    }

    /** Shows the log meanwhile, if it is here. */
    private static ImageBuild awaitEnd(Call call, ImageBuild begun, Path log) throws CommandException {
        LogTail tail = new LogTail(log, line -> tell(call, line));
        ImageBuild ended;
        try (tail) {
            ended = awaitEnd(call, begun);
        }
        if (!tail.hasTold()) {
            tell(call, "its log is " + log + " on " + ended.builder().orElse("its builder"));
        }
        return ended;
    }

    /** A build that vanishes has failed, and was cleaned up before anybody saw it. */
    private static ImageBuild awaitEnd(Call call, ImageBuild begun) throws CommandException {
        return SnapshotWatch.until(call.context(), "building " + begun.image() + "-" + begun.id(), seen -> {
            Optional<ImageBuild> now = seen.builds(begun.image()).stream()
                    .filter(build -> build.id().equals(begun.id()))
                    .findFirst();
            if (now.isEmpty()) {
                return Optional.of(begun.withState(ImageState.FAILED, call.now()));
            }
            return now.filter(build -> build.state() != ImageState.BUILDING);
        });
    }
}
