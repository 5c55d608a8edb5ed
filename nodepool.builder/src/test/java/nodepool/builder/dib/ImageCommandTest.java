package nodepool.builder.dib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import nodepool.api.config.DiskImage;
import nodepool.api.image.ImageLogin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageCommandTest {

    @TempDir
    private Path folder;

    private Path output;

    @BeforeEach
    void programs() throws IOException {
        output = folder.resolve("images dir/debian-1");
        program("disk-image-create");
    }

    private Path program(String name) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static DiskImage image(String command, Map<String, String> environment, String... elements) {
        return new DiskImage(
                "debian",
                List.of(elements),
                environment,
                List.of(),
                List.of(),
                false,
                false,
                Duration.ofDays(1),
                Duration.ofHours(8),
                "21",
                new ImageLogin(Optional.empty(), Optional.empty(), Optional.empty()),
                command,
                Map.of());
    }

    private ImageCommand command(DiskImage image, String... formats) throws ProgramNotFoundException {
        return ImageCommand.of(
                image,
                new TreeSet<>(List.of(formats)),
                output,
                Optional.of("elements"),
                Map.of("PATH", folder.toString(), "HOME", "/root", "DIB_RELEASE", "old"),
                new Installation(folder, false));
    }

    @Test
    void the_command_line_is_the_reference_s_with_formats_sorted_and_elements_last() throws Exception {
        assertEquals(
                List.of(
                        folder.resolve("disk-image-create").toString(),
                        "-n",
                        "-x",
                        "-t",
                        "qcow2,raw",
                        "--checksum",
                        "--no-tmpfs",
                        "--qemu-img-options",
                        "compat=0.10",
                        "-o",
                        output.toString(),
                        "debian-minimal",
                        "vm"),
                command(image("disk-image-create -n", Map.of(), "debian-minimal", "vm"), "raw", "qcow2")
                        .words());
    }

    @Test
    void only_qcow2_has_options_and_no_elements_leave_no_argument() throws Exception {
        List<String> words =
                command(image("disk-image-create", Map.of()), "raw").words();
        assertFalse(words.contains("--qemu-img-options"));
        assertEquals(output.toString(), words.get(words.size() - 1));
    }

    @Test
    void the_environment_is_ours_then_the_build_s_then_the_image_s() throws Exception {
        Map<String, String> environment = command(
                        image("disk-image-create", Map.of("ELEMENTS_PATH", "mine", "TMPDIR", "/opt/dib_tmp")), "raw")
                .environment();

        assertEquals("21", environment.get("DIB_RELEASE"));
        assertEquals("debian", environment.get("DIB_IMAGE_NAME"));
        assertEquals(output.toString(), environment.get("DIB_IMAGE_FILENAME"));
        assertEquals("mine", environment.get("ELEMENTS_PATH"));
        assertEquals("/opt/dib_tmp", environment.get("TMPDIR"));
        assertEquals("/root", environment.get("HOME"));
    }

    @Test
    void the_path_of_the_image_s_environment_decides_which_program_runs() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        Path there = Files.copy(folder.resolve("disk-image-create"), other.resolve("disk-image-create"));
        Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwxr-xr-x"));

        assertEquals(
                there.toString(),
                command(image("disk-image-create", Map.of("PATH", other.toString())), "raw")
                        .words()
                        .get(0));
        assertThrows(
                ProgramNotFoundException.class,
                () -> command(image("disk-image-create", Map.of("PATH", "/nonexistent")), "raw"));
    }

    @Test
    void the_command_may_name_the_installation_and_quote() throws Exception {
        program("two words");
        assertEquals(
                List.of(folder.resolve("two words").toString(), "a b"),
                command(image("\"%p/two words\" 'a b'", Map.of()), "raw")
                        .words()
                        .subList(0, 2));
    }

    @Test
    void a_command_that_cannot_run_is_named() {
        ProgramNotFoundException unknown = assertThrows(
                ProgramNotFoundException.class, () -> command(image("no-such-program -n", Map.of()), "raw"));
        assertTrue(unknown.getMessage().contains("no-such-program"), unknown.getMessage());
        assertThrows(ProgramNotFoundException.class, () -> command(image("'open", Map.of()), "raw"));
        assertThrows(ProgramNotFoundException.class, () -> command(image(" ", Map.of()), "raw"));
        assertThrows(ProgramNotFoundException.class, () -> command(image("/etc", Map.of()), "raw"));
    }

    @Test
    void nothing_of_the_environment_is_printed() throws Exception {
        assertFalse(command(image("disk-image-create", Map.of("PASSWORD", "hunter2")), "raw")
                .toString()
                .contains("hunter2"));
    }
}
