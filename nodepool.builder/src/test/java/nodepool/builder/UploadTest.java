package nodepool.builder;

import static nodepool.api.image.ImageState.DELETING;
import static nodepool.api.image.ImageState.FAILED;
import static nodepool.api.image.ImageState.READY;
import static nodepool.builder.Workshop.image;
import static nodepool.builder.Workshop.uploads;
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
import nodepool.api.driver.WantedImages;
import nodepool.api.image.ImageUpload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads with hooks, with formats that go afterwards, and to providers that come and go. */
class UploadTest {

    @TempDir
    private Path folder;

    private Workshop shop;
    private Workshop.Settings settings;

    @BeforeEach
    void open() throws Exception {
        shop = new Workshop(folder);
        settings = shop.settings();
        settings.images.put("fake", image("fake"));
    }

    @AfterEach
    void close() {
        shop.close();
    }

    private Optional<String> hook(String script) throws IOException {
        Path file = Files.writeString(folder.resolve("hook"), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Optional.of(file.toString());
    }

    @Test
    void a_hook_is_run_with_provider_id_and_file_before_the_upload_is_ready() throws Exception {
        settings.providers.put("p", wanting("qcow2", hook("echo \"$1 $2\" >\"$3.post\""), "fake"));
        shop.start(settings);

        ImageUpload upload = shop.upload("fake", "p", READY);

        assertEquals("p ext-1\n", Files.readString(shop.images.resolve("fake-" + upload.buildId() + ".qcow2.post")));
    }

    @Test
    void an_image_that_the_hook_refuses_is_deleted_from_the_cloud() throws Exception {
        settings.providers.put("p", wanting("qcow2", hook("exit 3\n"), "fake"));
        shop.start(settings);

        ImageUpload failed = shop.upload("fake", "p", FAILED);

        assertEquals(Optional.empty(), failed.externalId());
        assertEquals(List.of(), shop.cloud.images());
    }

    @Test
    void a_refused_image_that_cannot_be_deleted_keeps_its_id_until_it_can() throws Exception {
        shop.cloud.failDeletes(true);
        settings.providers.put("p", wanting("qcow2", hook("exit 3\n"), "fake"));
        shop.start(settings);
        assertEquals(Optional.of("ext-1"), shop.upload("fake", "p", DELETING).externalId());

        shop.cloud.failDeletes(false);
        settings.providers.put("p", wanting("qcow2"));
        for (int minutes = 0; !shop.cloud.images().isEmpty(); minutes++) {
            assertTrue(minutes < 100, "it is not tried again");
            shop.pass(Duration.ofMinutes(1));
            shop.cloud.awaitDeletes(Integer.MAX_VALUE, Duration.ofMillis(100));
        }
        shop.until(now -> now.uploads("fake").isEmpty());
    }

    @Test
    void formats_that_are_uploaded_go_and_kept_and_needed_ones_stay() throws Exception {
        settings.images.put("fake", image("fake", draft -> {
            draft.deleteAfterUpload = true;
            draft.keepFormats = List.of("qcow2");
        }));
        settings.providers.put("q", wanting("qcow2", "fake"));
        settings.providers.put("r", wanting("raw", "fake"));
        settings.providers.put("v", wanting("vhd", "fake"));
        shop.cloud.refuse("v", Integer.MAX_VALUE);
        shop.start(settings);
        shop.upload("fake", "q", READY);
        ImageUpload raw = shop.upload("fake", "r", READY);

        String stem = "fake-" + raw.buildId();
        shop.untilFiles(files -> files.stream().noneMatch(name -> name.startsWith(stem + ".raw")));
        assertEquals(
                List.of(
                        stem + ".d",
                        stem + ".qcow2",
                        stem + ".qcow2.md5",
                        stem + ".qcow2.sha256",
                        stem + ".vhd",
                        stem + ".vhd.md5",
                        stem + ".vhd.sha256"),
                shop.files());
    }

    @Test
    void no_format_goes_while_the_driver_of_a_provider_is_away() throws Exception {
        settings.images.put("fake", image("fake", draft -> draft.deleteAfterUpload = true));
        settings.providers.put("r", wanting("raw", "fake"));
        settings.withoutDriver.add("somewhere");
        shop.start(settings);
        ImageUpload raw = shop.upload("fake", "r", READY);
        String file = "fake-" + raw.buildId() + ".raw";
        Files.writeString(shop.images.resolve("stray-" + raw.buildId() + ".raw"), "");
        settings.reload();
        shop.untilFiles(files -> files.stream().noneMatch(name -> name.startsWith("stray-")));
        assertTrue(Files.exists(shop.images.resolve(file)));

        settings.withoutDriver.clear();
        settings.reload();
        shop.untilFiles(files -> !files.contains(file));
    }

    @Test
    void an_image_paused_at_a_provider_is_built_and_uploaded_elsewhere_only() {
        settings.providers.put("p", wanting("qcow2", "fake"));
        settings.providers.put(
                "paused",
                new WantedImages(
                        "qcow2",
                        "{image_name}",
                        Optional.empty(),
                        List.of(new WantedImages.Entry("fake", true, Map.of()))));
        shop.start(settings);
        shop.upload("fake", "p", READY);
        assertEquals(List.of(), uploads(shop.until(now -> true), "fake", "paused", READY));

        settings.providers.put("paused", wanting("qcow2", "fake"));
        settings.reload();
        shop.upload("fake", "paused", READY);
    }

    @Test
    void a_name_that_cannot_be_formed_fails_the_upload_and_no_other() {
        settings.providers.put(
                "broken",
                new WantedImages(
                        "qcow2",
                        "{owner}",
                        Optional.empty(),
                        List.of(new WantedImages.Entry("fake", false, Map.of()))));
        settings.providers.put("p", wanting("qcow2", "fake"));
        shop.start(settings);

        shop.upload("fake", "p", READY);
        shop.upload("fake", "broken", FAILED);
    }

    @Test
    void a_provider_that_is_removed_or_changed_is_stopped() throws Exception {
        settings.providers.put("p", wanting("qcow2", "fake"));
        settings.providers.put("q", wanting("qcow2", "fake"));
        shop.start(settings);
        shop.upload("fake", "p", READY);
        shop.upload("fake", "q", READY);

        settings.providers.remove("q");
        settings.reload();
        assertTrue(shop.cloud.awaitStopped("q"));
        settings.providers.put("p", wanting("qcow2", hook("exit 0\n"), "fake"));
        settings.reload();
        assertTrue(shop.cloud.awaitStopped("p"));
    }
}
