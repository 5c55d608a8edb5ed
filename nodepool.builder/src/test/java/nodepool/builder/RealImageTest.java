package nodepool.builder;

import static nodepool.api.image.ImageState.FAILED;
import static nodepool.api.image.ImageState.READY;
import static nodepool.builder.Workshop.image;
import static nodepool.builder.Workshop.wanting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageUpload;
import nodepool.testkit.Ended;
import nodepool.testkit.RealPart;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images made by the real diskimage-builder: of one element, which needs no network and no distribution. */
class RealImageTest {

    private static final String ROOT = """
            #!/bin/bash
            set -eu
            for folder in dev proc sys tmp etc root var/log bin; do
                sudo mkdir -p "$TARGET_ROOT/$folder"
            done
            sudo chmod 1777 "$TARGET_ROOT/tmp"
            echo "release=$DIB_RELEASE name=$DIB_IMAGE_NAME" | sudo tee "$TARGET_ROOT/etc/tiny-release"
            """;

    @TempDir
    private Path folder;

    private Workshop shop;
    private Workshop.Settings settings;

    @BeforeEach
    void open() throws Exception {
        RealPart.DISKIMAGE_BUILDER.require();
        shop = new Workshop(folder);
        settings = shop.settings();
        settings.elements = folder.resolve("elements");
        script("tiny-root/root.d/10-tiny-root", ROOT);
        Files.writeString(folder.resolve("elements/tiny-root/element-provides"), "operating-system\n");
        Files.createDirectory(folder.resolve("tmp"));
    }

    @AfterEach
    void close() {
        shop.close();
    }

    private void script(String name, String text) throws IOException {
        Path file = folder.resolve("elements").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(file.getParent().resolveSibling("element-deps"), "");
    }

    private void tiny(Duration timeout, String... elements) {
        settings.images.put("tiny", image("tiny", draft -> {
            draft.command = "disk-image-create -n";
            draft.release = "42";
            draft.formats = List.of("raw");
            draft.elements = List.of(elements);
            draft.timeout = timeout;
            draft.environment = Map.of(
                    "DIB_IMAGE_SIZE", "0.0625",
                    "DIB_JOURNAL_SIZE", "4",
                    "TMP_DIR", folder.resolve("tmp").toString(),
                    "TMPDIR", folder.resolve("tmp").toString(),
                    "DIB_IMAGE_CACHE", folder.resolve("cache").toString(),
                    "DIB_LOCKFILES", folder.resolve("locks").toString());
        }));
        settings.providers.put("p", wanting("qcow2", "tiny"));
        shop.start(settings);
    }

    private static Ended run(String... words) throws Exception {
        return Ended.of(Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"), words);
    }

    /** No mount, no loop device, no temporary tree. */
    private void assertNothingIsLeft() throws Exception {
        assertEquals(
                "",
                run("sh", "-c", "grep -F " + folder + " /proc/mounts || true").output());
        assertEquals(
                "",
                run("sh", "-c", "losetup -a | grep -F " + folder + " || true").output());
        try (Stream<Path> left = Files.list(folder.resolve("tmp"))) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void an_image_is_built_in_two_formats_and_uploaded_with_its_checksum() throws Exception {
        tiny(Duration.ofMinutes(5), "tiny-root", "manifests");

        ImageUpload upload = shop.upload("tiny", "p", READY);
        ImageBuild build = shop.build("tiny", READY);

        assertEquals(List.of("qcow2", "raw"), build.formats());
        String stem = "tiny-" + build.id();
        assertEquals(
                List.of(
                        stem + ".d",
                        stem + ".qcow2",
                        stem + ".qcow2.md5",
                        stem + ".qcow2.sha256",
                        stem + ".raw",
                        stem + ".raw.md5",
                        stem + ".raw.sha256"),
                shop.files());
        Path qcow2 = shop.images.resolve(stem + ".qcow2");
        assertTrue(run("qemu-img", "info", qcow2.toString()).output().contains("compat: 0.10"));
        String md5 = run("md5sum", qcow2.toString()).output().substring(0, 32);
        assertEquals(Optional.of(md5), shop.cloud.uploads().get(0).md5());
        assertEquals(Optional.of("ext-1"), upload.externalId());
        assertTrue(run(
                                "grep",
                                "-c",
                                "release=42 name=tiny",
                                shop.images.resolve(stem + ".raw").toString())
                        .code()
                == 0);
        assertTrue(shop.log(build).endsWith("Exit code: 0\n"));
        assertNothingIsLeft();
    }

    @Test
    void a_hook_that_fails_fails_the_build_with_its_status() throws Exception {
        script("failing/root.d/90-fail", "#!/bin/bash\nexit 7\n");
        tiny(Duration.ofMinutes(5), "tiny-root", "failing");
        ImageBuild failed = shop.build("tiny", FAILED);
        assertTrue(shop.log(failed).endsWith("Exit code: 7\n"), shop.log(failed));
        assertNothingIsLeft();
        shop.untilFiles(List::isEmpty);
    }

    @Test
    void a_build_that_hangs_is_ended_and_leaves_nothing_mounted() throws Exception {
        script("slow/pre-finalise.d/90-slow", "#!/bin/bash\nsleep 600\n");
        tiny(Duration.ofSeconds(15), "tiny-root", "slow");

        ImageBuild failed = shop.build("tiny", FAILED);

        assertTrue(shop.log(failed).endsWith("Build timed out after 15 seconds\n"));
        assertTrue(run("sh", "-c", "ps -e -o args | grep '[s]leep 600' || true")
                .output()
                .isEmpty());
        assertNothingIsLeft();
        shop.untilFiles(List::isEmpty);
    }

    @Test
    void an_element_that_is_missing_fails_the_build_with_its_name_in_the_log() throws Exception {
        tiny(Duration.ofMinutes(5), "tiny-root", "no-such-element");
        ImageBuild failed = shop.build("tiny", FAILED);
        assertTrue(shop.log(failed).contains("no-such-element"), shop.log(failed));
        assertEquals(
                Optional.of("the image command ended with exit code 1; log: " + folder.resolve("logs/tiny-")
                        + failed.id() + ".log"),
                failed.reason());
        shop.untilFiles(List::isEmpty);
    }

    @Test
    void a_format_whose_tool_is_missing_fails_the_build_with_its_name_in_the_log() throws Exception {
        settings.images.put("disk", image("disk", draft -> {
            draft.command = "disk-image-create -n";
            draft.elements = List.of("tiny-root");
            draft.environment = Map.of("TMP_DIR", folder.resolve("tmp").toString());
        }));
        settings.providers.put("xen", wanting("vhd", "disk"));
        tiny(Duration.ofMinutes(5), "tiny-root");

        ImageBuild failed = shop.build("disk", FAILED);

        assertTrue(shop.log(failed).contains("vhd-util"), shop.log(failed));
        shop.upload("tiny", "p", READY);
        assertNothingIsLeft();
    }
}
