package nodepool.builder;

import static nodepool.api.image.ImageState.DELETING;
import static nodepool.api.image.ImageState.FAILED;
import static nodepool.api.image.ImageState.READY;
import static nodepool.builder.Workshop.await;
import static nodepool.builder.Workshop.builds;
import static nodepool.builder.Workshop.image;
import static nodepool.builder.Workshop.uploads;
import static nodepool.builder.Workshop.wanting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.driver.ManagedImages;
import nodepool.api.event.Event;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageUpload;
import nodepool.api.registry.Registration;
import nodepool.api.store.Snapshot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a builder does, seen in ZooKeeper, in its directories and in the cloud. */
class BuilderTest {

    @TempDir
    private Path folder;

    private Workshop shop;
    private Workshop.Settings settings;

    @BeforeEach
    void open() throws Exception {
        shop = new Workshop(folder);
        settings = shop.settings();
    }

    @AfterEach
    void close() {
        shop.close();
    }

    private void wanted() {
        settings.images.put("fake", image("fake"));
        settings.providers.put("p", wanting("qcow2", "fake"));
    }

    @Test
    void it_starts_and_stops_and_registers_meanwhile() {
        Workshop.Running builder = shop.start(settings);
        Snapshot seen = shop.until(now -> !now.components().isEmpty());
        Registration registration = seen.components().iterator().next();
        assertEquals(Registration.Kind.BUILDER, registration.kind());
        assertEquals("nb01", registration.hostname());

        builder.stop();
        shop.until(now -> now.components().isEmpty());
    }

    @Test
    void an_image_is_built_and_uploaded_with_everything_that_belongs_to_it() throws Exception {
        wanted();
        shop.start(settings);

        ImageUpload upload = shop.upload("fake", "p", READY);
        ImageBuild build = shop.build("fake", READY);

        assertEquals(32, build.id().length());
        assertEquals(List.of("qcow2"), build.formats());
        assertEquals(Optional.of("nb01.example.com"), build.builder());
        assertEquals(Optional.of(Files.readString(shop.images.resolve("builder_id.txt"))), build.builderId());
        assertEquals(Optional.of("sh"), build.login().shellType());
        assertEquals("0000000001", upload.id());
        assertEquals(Optional.of("qcow2"), upload.format());
        assertEquals(build.login(), upload.login());

        ManagedImages.NewImage sent = shop.cloud.uploads().get(0);
        assertTrue(sent.name().matches("fake-0000000001-\\d{10}"), sent.name());
        assertEquals(upload.externalName(), Optional.of(sent.name()));
        assertEquals(Optional.of("d41d8cd98f00b204e9800998ecf8427e"), sent.md5());
        assertTrue(sent.sha256().isPresent());
        assertEquals("yes", sent.metadata().get("diskimage_metadata"));
        assertEquals("by provider", sent.metadata().get("overridden"));
        assertEquals(build.id(), sent.metadata().get("nodepool_build_id"));
        assertEquals("0000000001", sent.metadata().get("nodepool_upload_id"));
        assertEquals("p", sent.metadata().get("nodepool_provider_name"));

        String stem = "fake-" + build.id();
        assertEquals(List.of(stem + ".d", stem + ".qcow2", stem + ".qcow2.md5", stem + ".qcow2.sha256"), shop.files());
        assertTrue(shop.log(build).endsWith("*** done\nExit code: 0\n"), shop.log(build));
    }

    @Test
    void whoever_listens_hears_how_builds_and_uploads_have_ended() throws Exception {
        wanted();
        settings.images.put("absent", image("absent", draft -> draft.command = "no-such-command"));
        settings.images.put("broken", image("broken", draft -> draft.environment = Map.of("SHOULD_FAIL", "true")));
        settings.providers.put("p", wanting("qcow2", "fake", "absent", "broken"));
        Workshop.Running builder = shop.start(settings);
        shop.upload("fake", "p", READY);
        shop.build("absent", FAILED);
        shop.build("broken", FAILED);
        builder.stop();

        Event.BuildEnded good = ended("fake");
        assertTrue(good.ready());
        assertEquals(OptionalInt.of(0), good.status());
        assertEquals(Set.of("qcow2"), good.sizes().keySet());
        assertEquals(OptionalInt.of(127), ended("broken").status());
        assertEquals(OptionalInt.empty(), ended("absent").status());
        assertTrue(shop.events.stream()
                .anyMatch(event -> event instanceof Event.UploadEnded upload
                        && upload.ready()
                        && upload.uploadId().equals("0000000001")));
    }

    private Event.BuildEnded ended(String image) {
        return shop.events.stream()
                .filter(Event.BuildEnded.class::isInstance)
                .map(Event.BuildEnded.class::cast)
                .filter(event -> event.image().equals(image))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_diskimage_with_formats_needs_no_provider() throws Exception {
        settings.images.put("fake", image("fake", draft -> draft.formats = List.of("tar")));
        shop.start(settings);

        assertEquals(List.of("tar"), shop.build("fake", READY).formats());
    }

    @Test
    void every_provider_gets_its_own_format() {
        settings.images.put("fake", image("fake"));
        settings.providers.put("p", wanting("qcow2", "fake"));
        settings.providers.put("v", wanting("vhd", "fake"));
        shop.start(settings);

        assertEquals(Optional.of("qcow2"), shop.upload("fake", "p", READY).format());
        assertEquals(Optional.of("vhd"), shop.upload("fake", "v", READY).format());
        assertEquals(List.of("qcow2", "vhd"), shop.build("fake", READY).formats());
    }

    @Test
    void a_refused_upload_is_tried_again_and_holds_no_other_provider_up() {
        wanted();
        settings.providers.put("q", wanting("qcow2", "fake"));
        shop.cloud.refuse("p", 1);
        shop.start(settings);

        ImageUpload failed = shop.upload("fake", "p", FAILED);
        assertEquals(Optional.empty(), failed.externalId());
        ImageUpload other = shop.upload("fake", "q", READY);
        shop.pass(Duration.ofSeconds(11));

        ImageUpload again = shop.upload("fake", "p", READY);
        assertTrue(other.stateTime().isBefore(again.stateTime()));
        shop.until(now -> uploads(now, "fake", "p", FAILED).isEmpty());
    }

    @Test
    void a_provider_that_is_added_gets_the_build_there_is() {
        wanted();
        shop.start(settings);
        ImageUpload first = shop.upload("fake", "p", READY);

        settings.providers.put("q", wanting("qcow2", "fake"));
        settings.reload();

        assertEquals(first.buildId(), shop.upload("fake", "q", READY).buildId());
    }

    @Test
    void a_provider_that_stops_listing_an_image_loses_its_upload_only() {
        wanted();
        settings.providers.put("q", wanting("qcow2", "fake"));
        shop.start(settings);
        ImageUpload kept = shop.upload("fake", "p", READY);
        shop.upload("fake", "q", READY);

        settings.providers.put("q", wanting("qcow2"));
        settings.reload();

        Snapshot seen = shop.until(now -> now.uploads("fake").size() == 1);
        assertEquals(kept, seen.uploads("fake").get(0));
        assertEquals(1, shop.cloud.images().size());
    }

    @Test
    void an_image_that_is_added_is_built_too() {
        wanted();
        shop.start(settings);
        shop.upload("fake", "p", READY);

        settings.images.put("fake2", image("fake2"));
        settings.providers.put("p", wanting("qcow2", "fake", "fake2"));
        settings.reload();

        shop.upload("fake2", "p", READY);
    }

    @Test
    void an_image_that_is_removed_goes_with_uploads_files_and_records() throws Exception {
        wanted();
        settings.images.put("fake2", image("fake2"));
        settings.providers.put("p", wanting("qcow2", "fake", "fake2"));
        shop.start(settings);
        shop.upload("fake", "p", READY);
        shop.upload("fake2", "p", READY);

        settings.images.remove("fake2");
        settings.providers.put("p", wanting("qcow2", "fake"));
        settings.reload();

        shop.until(now -> !now.images().contains("fake2"));
        shop.untilFiles(files -> files.stream().noneMatch(name -> name.startsWith("fake2-")));
        assertEquals(1, shop.cloud.images().size());
    }

    @Test
    void files_go_first_when_the_cloud_refuses_to_delete() throws Exception {
        wanted();
        shop.start(settings);
        shop.upload("fake", "p", READY);
        shop.cloud.failDeletes(true);

        settings.images.remove("fake");
        settings.providers.put("p", wanting("qcow2"));
        settings.reload();

        shop.upload("fake", "p", DELETING);
        shop.untilFiles(List::isEmpty);
        for (int minutes = 0; !shop.cloud.awaitDeletes(5, Duration.ofMillis(100)); minutes++) {
            assertTrue(minutes < 100, "it is not tried again");
            shop.pass(Duration.ofMinutes(1));
        }
        shop.cloud.failDeletes(false);
        for (int minutes = 0; !shop.cloud.images().isEmpty(); minutes++) {
            assertTrue(minutes < 100, "it is not tried again");
            shop.pass(Duration.ofMinutes(1));
            shop.cloud.awaitDeletes(Integer.MAX_VALUE, Duration.ofMillis(100));
        }
        shop.until(now -> !now.images().contains("fake"));
    }

    @Test
    void a_build_of_another_builder_s_provider_is_left_alone() {
        settings.images.put("fake", image("fake", draft -> draft.formats = List.of("qcow2")));
        shop.start(settings);
        ImageBuild build = shop.build("fake", READY);

        Workshop.Settings others = new Workshop.Settings(folder, otherImages());
        others.images.put("fake", image("fake", draft -> draft.rebuildAge = Duration.ofDays(9)));
        others.providers.put("other", wanting("qcow2"));
        shop.start(others);
        await(shop.stores().imageMarks().requestBuild("fake"));

        Snapshot seen = shop.until(now -> builds(now, "fake", READY).size() == 2);
        assertTrue(seen.builds("fake").contains(build));
    }

    private Path otherImages() {
        try {
            return Files.createDirectories(folder.resolve("other-images"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void an_old_build_is_replaced_and_the_third_pushes_the_first_out() throws Exception {
        wanted();
        settings.logRetention = 1;
        shop.start(settings);
        ImageBuild first = shop.build("fake", READY);
        shop.upload("fake", "p", READY);
        assertEquals(1, shop.logs().size());

        shop.pass(Duration.ofDays(1));
        shop.until(now -> builds(now, "fake", READY).size() == 2
                && uploads(now, "fake", "p", READY).size() == 2);
        assertEquals(2, shop.logs().size());

        shop.pass(Duration.ofDays(1));
        Snapshot seen = shop.until(now -> builds(now, "fake", READY).stream()
                        .noneMatch(build -> build.id().equals(first.id()))
                && now.builds("fake").size() == 2
                && uploads(now, "fake", "p", READY).size() == 2);

        shop.untilFiles(files -> files.stream().noneMatch(name -> name.contains(first.id())));
        assertEquals(2, shop.cloud.images().size());
        assertEquals(
                seen.builds("fake").stream()
                        .map(build -> "fake-" + build.id() + ".log")
                        .sorted()
                        .toList(),
                shop.logs());
    }

    @Test
    void a_failing_command_is_tried_again_and_its_build_goes_when_a_better_one_is_there() throws Exception {
        settings.images.put("fake", image("fake", draft -> draft.environment = Map.of("SHOULD_FAIL", "true")));
        settings.providers.put("p", wanting("qcow2", "fake"));
        shop.start(settings);
        ImageBuild failed = shop.build("fake", FAILED);
        assertTrue(shop.log(failed).endsWith("Exit code: 127\n"), shop.log(failed));
        assertEquals(List.of(), failed.formats());
        shop.untilFiles(List::isEmpty);

        settings.images.put("fake", image("fake"));
        settings.reload();

        shop.upload("fake", "p", READY);
        shop.until(now -> builds(now, "fake", FAILED).isEmpty());
    }

    @Test
    void a_command_that_takes_too_long_is_ended_with_all_its_children() throws Exception {
        shop.pauseCommand();
        settings.images.put("fake", image("fake", draft -> draft.timeout = Duration.ofSeconds(1)));
        settings.providers.put("p", wanting("qcow2", "fake"));
        shop.start(settings);

        ImageBuild failed = shop.build("fake", FAILED);

        assertTrue(shop.log(failed).endsWith("Build timed out after 1 seconds\n"), shop.log(failed));
        shop.untilFiles(List::isEmpty);
    }

    @Test
    void a_missing_command_and_a_missing_file_are_failures_with_a_reason() throws Exception {
        settings.images.put("absent", image("absent", draft -> draft.command = "no-such-command"));
        settings.images.put("empty", image("empty", draft -> draft.command = "true"));
        settings.providers.put("p", wanting("qcow2", "absent", "empty"));
        shop.start(settings);

        ImageBuild absent = shop.build("absent", FAILED);
        assertTrue(shop.log(absent).contains("no-such-command"));
        assertTrue(absent.reason().orElse("").contains("there is no no-such-command in PATH"), absent.toString());
        assertTrue(absent.reason().orElse("").contains("absent-" + absent.id() + ".log"), absent.toString());
        assertTrue(shop.log(shop.build("empty", FAILED)).contains("left no file in format [qcow2]"));
    }

    @Test
    void a_full_disk_fails_the_build_and_leaves_nothing_on_it_while_others_go_on() throws Exception {
        settings.images.put("fat", image("fat", draft -> {
            draft.command = "sh -c 'while [ \"$1\" != -o ]; do shift; done; echo part >\"$2.qcow2\";"
                    + " echo rest >/dev/full' fat";
        }));
        settings.images.put("fake", image("fake"));
        settings.providers.put("p", wanting("qcow2", "fat", "fake"));
        shop.start(settings);

        ImageBuild fat = shop.build("fat", FAILED);
        shop.upload("fake", "p", READY);

        assertTrue(fat.reason().orElse("").contains("ended with exit code"), fat.toString());
        shop.untilFiles(files -> files.stream().noneMatch(name -> name.startsWith("fat")));
    }

    @Test
    void a_place_for_logs_that_cannot_be_written_fails_the_build_with_a_reason() throws Exception {
        Files.createFile(folder.resolve("logs"));
        wanted();
        shop.start(settings);
        ImageBuild failed = shop.build("fake", FAILED);
        assertTrue(failed.reason().orElse("").contains(folder.resolve("logs").toString()), failed.toString());
    }

    @Test
    void a_record_that_cannot_be_read_hinders_neither_its_image_nor_others() throws Exception {
        String spoilt = "/nodepool/images/fake/builds/0123456789abcdef0123456789abcdef";
        shop.spoil(spoilt, "{\"state\": ");
        shop.spoil("/nodepool/images/gone/builds/0123456789abcdef0123456789abcdef", "no record");
        wanted();
        shop.start(settings);
        shop.upload("fake", "p", READY);

        await(shop.stores().imageMarks().requestBuild("fake"));

        Snapshot seen = shop.until(now -> uploads(now, "fake", "p", READY).size() == 2);
        assertTrue(seen.malformed().stream().anyMatch(one -> one.path().equals(spoilt)), seen.malformed()::toString);
    }

    @Test
    void images_inherit_elements_and_variables() {
        settings.images.put("base", image("base", draft -> draft.environment = Map.of("PARENT_TEST_FLAG", "base")));
        settings.images.put("child", image("child", draft -> {
            draft.elements = List.of("fedora", "intermediate", "vm");
            draft.environment = Map.of(
                    "PARENT_TEST_FLAG",
                    "intermediate",
                    "PARENT_TEST_ENV_INTERMEDIATE",
                    "abstract-intermediate",
                    "PARENT_TEST_ENV_OVERRIDE",
                    "parent-image-2");
        }));
        settings.providers.put("p", wanting("qcow2", "base", "child"));
        shop.start(settings);

        shop.build("base", READY);
        shop.build("child", READY);
    }

    @Test
    void a_request_makes_one_more_build_and_is_gone_then() {
        wanted();
        shop.start(settings);
        shop.upload("fake", "p", READY);

        await(shop.stores().imageMarks().requestBuild("fake"));

        shop.until(now -> builds(now, "fake", READY).size() == 2
                && uploads(now, "fake", "p", READY).size() == 2
                && !now.isBuildRequested("fake"));
    }

    @Test
    void a_paused_image_is_not_built_until_it_is_unpaused() {
        wanted();
        settings.images.put("other", image("other"));
        settings.providers.put("p", wanting("qcow2", "fake", "other"));
        await(shop.stores().imageMarks().pause("fake"));
        shop.start(settings);
        shop.upload("other", "p", READY);
        assertEquals(List.of(), shop.until(now -> true).builds("fake"));

        await(shop.stores().imageMarks().unpause("fake"));

        shop.upload("fake", "p", READY);
    }
}
