package nodepool.builder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuilderIdTest {

    private static final UUID FIRST = new UUID(1, 2);

    @TempDir
    private Path images;

    @Test
    void an_empty_directory_gets_exactly_one_uuid() throws IOException {
        assertEquals(FIRST.toString(), BuilderId.in(images, () -> FIRST));
        assertEquals(FIRST.toString(), Files.readString(images.resolve("builder_id.txt")));
        try (var files = Files.list(images)) {
            assertEquals(1, files.count());
        }
    }

    @Test
    void the_id_stays() throws IOException {
        BuilderId.in(images, () -> FIRST);

        assertEquals(FIRST.toString(), BuilderId.in(images, UUID::randomUUID));
    }

    @Test
    void blanks_around_a_kept_id_do_not_count_and_an_empty_file_is_filled() throws IOException {
        Files.writeString(images.resolve("builder_id.txt"), " abc\n");
        assertEquals("abc", BuilderId.in(images, () -> FIRST));

        Files.writeString(images.resolve("builder_id.txt"), "\n");
        assertEquals(FIRST.toString(), BuilderId.in(images, () -> FIRST));
    }

    @Test
    void a_missing_directory_is_not_made() {
        assertThrows(NotDirectoryException.class, () -> BuilderId.in(images.resolve("none"), () -> FIRST));
    }
}
