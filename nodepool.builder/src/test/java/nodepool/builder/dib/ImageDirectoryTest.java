package nodepool.builder.dib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageDirectoryTest {

    private static final String ID = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path folder;

    private ImageDirectory directory;

    @BeforeEach
    void open() {
        directory = new ImageDirectory(folder);
    }

    private Path touch(String name) throws IOException {
        return Files.writeString(folder.resolve(name), "x");
    }

    @Test
    void a_path_has_one_slash_whether_or_not_the_directory_ends_in_one() {
        Path expected = Path.of("/images/fake-" + ID + ".qcow2");
        assertEquals(expected, new ImageDirectory(Path.of("/images")).file("fake", ID, "qcow2"));
        assertEquals(expected, new ImageDirectory(Path.of("/images/")).file("fake", ID, "qcow2"));
    }

    @Test
    void the_files_of_a_build_are_found_in_every_format() throws IOException {
        touch("fake-" + ID + ".qcow2");
        assertEquals(Set.of("qcow2"), directory.builds().get(0).formats());
        touch("fake-" + ID + ".raw");
        assertEquals(Set.of("qcow2", "raw"), directory.builds().get(0).formats());
        assertEquals(List.of("vhd"), directory.missing("fake", ID, new TreeSet<>(List.of("qcow2", "raw", "vhd"))));
    }

    @Test
    void checksums_are_read_as_far_as_they_are_checksums() throws IOException {
        Path file = touch("fake-" + ID + ".raw");
        Files.writeString(folder.resolve(file.getFileName() + ".md5"), "0123456789ABCDEF0123456789abcdef  " + file);
        Files.writeString(folder.resolve(file.getFileName() + ".sha256"), "not a checksum");

        assertEquals(Optional.of(ID), ImageDirectory.checksum(file, "md5", 32));
        assertEquals(Optional.empty(), ImageDirectory.checksum(file, "sha256", 64));
        assertEquals(Optional.empty(), ImageDirectory.checksum(file, "sha512", 128));
    }

    @Test
    void holes_take_no_room() throws IOException {
        Path file = folder.resolve("sparse");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 30);
        }
        assertTrue(ImageDirectory.allocated(file) < 1L << 20);
    }

    @Test
    void everything_of_a_build_goes_and_the_rest_stays() throws IOException {
        Files.createDirectories(folder.resolve("fake-" + ID + ".d/dib-manifests"));
        touch("fake-" + ID + ".d/dib-manifests/dib_arguments");
        touch("fake-" + ID + ".qcow2.md5");
        touch("fake-bookworm-" + ID + ".qcow2");

        directory.delete("fake", ID);
        directory.delete("fake", ID);

        assertEquals(
                List.of("fake-bookworm"),
                directory.builds().stream().map(build -> build.image()).toList());
    }
}
