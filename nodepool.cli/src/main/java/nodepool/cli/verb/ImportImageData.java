package nodepool.cli.verb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import nodepool.cli.options.Option;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;

/** {@code import-image-data}. */
final class ImportImageData implements Verb {

    private final Syntax syntax = Verb.named("import-image-data", "import image data to ZooKeeper")
            .with(Option.flag("even while launchers or builders are running", "--force"))
            .with(Positional.one("PATH", "file made by export-image-data; - for standard input"))
            .example("nodepool import-image-data images.json");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        String path = call.arguments().word();
        Map<String, String> records;
        try {
            records = TextMap.read(read(path));
        } catch (IllegalArgumentException e) {
            throw CommandException.failed(path + " is no export of image data: " + e.getMessage());
        }
        int running = call.context().snapshot().components().size();
        if (running > 0 && !call.arguments().has("--force")) {
            throw CommandException.failed(running
                    + " launchers, pools or builders are registered, which would act on half of the data;"
                    + " stop them first, or use --force");
        }
        call.context().await(call.context().stores().imageArchive().write(records));
        call.err().println(records.size() + " records imported");
        return 0;
    }

    private static String read(String path) throws CommandException {
        try {
            return path.equals("-")
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(path), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw CommandException.failed("cannot read " + path + ": " + failure);
        }
    }
}
