package nodepool.cli.verb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.JsonWriting;

/** {@code export-image-data}. */
final class ExportImageData implements Verb {

    private final Syntax syntax = Verb.named("export-image-data", "export image data from ZooKeeper")
            .with(Positional.one("PATH", "file to write, readable by its owner only; - for standard output"))
            .example("nodepool export-image-data images.json");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        Map<String, String> records =
                call.context().await(call.context().stores().imageArchive().read());
        Map<String, JsonValue> document = new LinkedHashMap<>();
        records.forEach((path, text) -> document.put(path, JsonValue.of(text)));
        String json = JsonWriting.indented(new JsonObject(document));
        String path = call.arguments().word();
        if (path.equals("-")) {
            call.out().println(json);
        } else {
            write(Path.of(path).toAbsolutePath(), json + "\n");
        }
        call.err().println(records.size() + " records exported");
        return 0;
    }

    /** The file is there whole or not at all. */
    private static void write(Path file, String text) throws CommandException {
        try {
            Path whole = Files.createTempFile(
                    file.getParent(),
                    file.getFileName().toString(),
                    ".new",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try {
                Files.writeString(whole, text, StandardCharsets.UTF_8);
                Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(whole);
            }
        } catch (IOException failure) {
            throw CommandException.failed("cannot write " + file + ": " + failure);
        }
    }
}
