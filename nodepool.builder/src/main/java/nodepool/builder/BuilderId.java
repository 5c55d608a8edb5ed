package nodepool.builder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import java.util.function.Supplier;

/** Who this builder is, kept beside its images: a UUID in {@code builder_id.txt}, without a newline. */
final class BuilderId {

    /** Name of the file in the images directory. */
    static final String FILE = "builder_id.txt";

    private BuilderId() {}

    /** Reads the id; makes and keeps one if there is none. The directory must exist. Blocks for file I/O. */
    static String in(Path imagesDir, Supplier<UUID> ids) throws IOException {
        if (!Files.isDirectory(imagesDir)) {
            throw new NotDirectoryException(imagesDir.toString());
        }
        Path file = imagesDir.resolve(FILE);
        if (Files.exists(file)) {
            String kept = Files.readString(file, StandardCharsets.UTF_8).strip();
            if (!kept.isEmpty()) {
                return kept;
            }
        }
        String made = ids.get().toString();
        Path whole = Files.createTempFile(imagesDir, "builder_id", ".new");
        try {
            Files.writeString(whole, made, StandardCharsets.UTF_8);
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(whole);
        }
        return made;
    }
}
