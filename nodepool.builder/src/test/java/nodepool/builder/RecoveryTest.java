package nodepool.builder;

import static nodepool.api.image.ImageState.BUILDING;
import static nodepool.api.image.ImageState.DELETING;
import static nodepool.api.image.ImageState.FAILED;
import static nodepool.api.image.ImageState.READY;
import static nodepool.api.image.ImageState.UPLOADING;
import static nodepool.builder.Workshop.await;
import static nodepool.builder.Workshop.builds;
import static nodepool.builder.Workshop.image;
import static nodepool.builder.Workshop.uploads;
import static nodepool.builder.Workshop.wanting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.Stored;
import nodepool.api.store.HeldLock;
import nodepool.api.store.ImageStore;
import nodepool.api.store.Snapshot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What builders do about what dead ones have left, and what goes on while one of them is away. */
class RecoveryTest {

    private static final String DEAD = "deadbeefdeadbeefdeadbeefdeadbeef";

    @TempDir
    private Path folder;

    private Workshop shop;
    private Workshop.Settings settings;
    private ImageStore store;

    @BeforeEach
    void open() throws Exception {
        shop = new Workshop(folder);
        store = shop.stores().images();
        settings = shop.settings();
        settings.images.put("fake", image("fake"));
        settings.providers.put("p", wanting("qcow2", "fake"));
    }

    @AfterEach
    void close() {
        shop.close();
    }

    /** A record as a builder leaves it that dies: in that state, with nobody holding the lock. */
    private void leaveBuild(ImageState state) throws Exception {
        HeldLock lock = await(store.tryLockBuilds("fake")).orElseThrow();
        ImageBuild half = new ImageBuild(
                "fake",
                DEAD,
                state,
                Instant.now().minusSeconds(60),
                Optional.of("dead.example.com"),
                Optional.empty(),
                List.of("qcow2"),
                image("fake").login(),
                Stored.NEVER);
        await(store.create(half, lock));
        await(store.unlock(lock));
        Files.writeString(shop.images.resolve("fake-" + DEAD + ".qcow2"), "image");
        shop.until(now -> !now.builds("fake").isEmpty());
    }

    private ImageUpload leaveUpload(String buildId, ImageState state, Optional<String> externalId) {
        HeldLock lock = await(store.tryLockUploads("fake", buildId, "p")).orElseThrow();
        ImageUpload half = new ImageUpload(
                "fake",
                buildId,
                "p",
                "",
                state,
                Instant.now().minusSeconds(30),
                externalId,
                Optional.empty(),
                Optional.empty(),
                image("fake").login(),
                Stored.NEVER);
        ImageUpload made = await(store.create(half, lock));
        await(store.unlock(lock));
        return made;
    }

    @Test
    void a_build_whose_builder_died_is_removed_with_its_files_and_built_again() throws Exception {
        leaveBuild(BUILDING);
        shop.start(settings);

        shop.upload("fake", "p", READY);

        shop.until(now -> now.builds("fake").size() == 1);
        shop.untilFiles(files -> files.stream().noneMatch(name -> name.contains(DEAD)));
    }

    @Test
    void an_upload_whose_uploader_died_is_found_in_the_cloud_and_removed() throws Exception {
        leaveBuild(READY);
        ImageUpload half = leaveUpload(DEAD, UPLOADING, Optional.empty());
        Map<String, String> marks =
                Map.of("nodepool_build_id", DEAD, "nodepool_upload_id", half.id(), "nodepool_provider_name", "p");
        shop.cloud.leave(marks);
        shop.cloud.leave(Map.of(
                "nodepool_build_id", DEAD, "nodepool_upload_id", half.id(), "nodepool_provider_name", "foreign"));
        shop.start(settings);

        ImageUpload again = shop.upload("fake", "p", READY);

        assertEquals(DEAD, again.buildId());
        shop.until(now -> now.uploads("fake").size() == 1);
        assertTrue(
                shop.cloud.images().stream().noneMatch(image -> image.metadata().equals(marks)));
        assertEquals(2, shop.cloud.images().size());
    }

    @Test
    void a_deletion_that_stopped_half_way_goes_on_where_it_stopped() throws Exception {
        leaveBuild(DELETING);
        leaveUpload(DEAD, DELETING, Optional.of("gone-already"));
        shop.start(settings);

        shop.upload("fake", "p", READY);

        shop.until(now -> now.builds("fake").size() == 1 && now.uploads("fake").size() == 1);
        shop.untilFiles(files -> files.stream().noneMatch(name -> name.contains(DEAD)));
    }

    @Test
    void files_that_no_record_knows_go_and_foreign_ones_stay() throws Exception {
        Files.createDirectories(shop.images.resolve("gone-" + DEAD + ".d/deep"));
        Files.writeString(shop.images.resolve("gone-" + DEAD + ".qcow2-new"), "half");
        Files.writeString(shop.images.resolve("gone-0000000007.raw.md5"), "sum");
        Files.writeString(shop.images.resolve("backup-2024.img"), "mine");
        shop.start(settings);

        shop.untilFiles(files -> files.stream().noneMatch(name -> name.startsWith("gone-")));
        assertTrue(Files.exists(shop.images.resolve("backup-2024.img")));
    }

    @Test
    void a_build_under_way_keeps_its_files_and_one_whose_record_vanishes_leaves_none() throws Exception {
        shop.pauseCommand();
        shop.start(settings);
        ImageBuild building = shop.build("fake", BUILDING);
        String intermediate = "fake-" + building.id() + ".qcow2-new";
        shop.untilFiles(files -> files.contains(intermediate));

        HeldLock lock = await(store.tryLockBuild(building)).orElseThrow();
        assertTrue(await(store.remove(building, lock)));
        shop.resume();

        shop.until(now -> builds(now, "fake", FAILED).isEmpty()
                && builds(now, "fake", BUILDING).isEmpty());
        shop.untilFiles(files -> files.stream().noneMatch(name -> name.contains(building.id())));
    }

    @Test
    void a_builder_that_stops_ends_its_command_and_the_next_one_builds() throws Exception {
        shop.pauseCommand();
        Workshop.Running first = shop.start(settings);
        ImageBuild building = shop.build("fake", BUILDING);
        shop.untilFiles(files -> !files.isEmpty());

        first.stop();
        shop.build("fake", FAILED);
        assertTrue(shop.log(building).endsWith("Build ended because the builder stops\n"));
        Files.delete(shop.images.resolve("fake-image-create.pause"));

        shop.start(settings);
        shop.upload("fake", "p", READY);
        shop.until(now -> builds(now, "fake", FAILED).isEmpty());
    }

    @Test
    void a_builder_that_stops_during_an_upload_leaves_it_to_the_next_one() throws Exception {
        shop.cloud.hang(true);
        Workshop.Running first = shop.start(settings);
        shop.cloud.awaitHanging();

        first.stop();
        shop.cloud.hang(false);
        shop.start(settings);

        for (int minutes = 0;
                uploads(shop.until(now -> true), "fake", "p", READY).isEmpty();
                minutes++) {
            assertTrue(minutes < 1000, "it is not taken up");
            shop.pass(Duration.ofMinutes(1));
            shop.cloud.awaitDeletes(Integer.MAX_VALUE, Duration.ofMillis(50));
        }
        shop.until(now -> now.uploads("fake").size() == 1);
        assertEquals(1, shop.cloud.images().size());
    }

    @Test
    void two_builders_share_the_work_without_building_anything_twice() throws Exception {
        shop.pauseCommand();
        shop.start(settings);
        shop.build("fake", BUILDING);
        Workshop.Settings others =
                new Workshop.Settings(folder, Files.createDirectories(folder.resolve("other-images")));
        others.images.putAll(settings.images);
        others.providers.putAll(settings.providers);
        shop.start(others);
        shop.until(now -> now.components().size() == 2);
        shop.resume();

        Snapshot seen = shop.until(now -> !uploads(now, "fake", "p", READY).isEmpty());
        assertEquals(1, seen.builds("fake").size());
        assertEquals(1, seen.uploads("fake").size());
    }

    @Test
    void a_build_deleted_by_command_goes_and_is_replaced_whether_or_not_it_has_manifests() throws Exception {
        shop.start(settings);
        shop.upload("fake", "p", READY);
        ImageBuild first = shop.build("fake", READY);
        Files.delete(shop.images.resolve("fake-" + first.id() + ".d/manifest"));
        Files.delete(shop.images.resolve("fake-" + first.id() + ".d"));

        assertTrue(await(store.writeIfUnchanged(first.withState(DELETING, Instant.now()))));

        shop.until(now -> builds(now, "fake", READY).size() == 1
                && now.builds("fake").size() == 1
                && !now.builds("fake").get(0).id().equals(first.id())
                && uploads(now, "fake", "p", READY).size() == 1);
        shop.untilFiles(files -> files.stream().noneMatch(name -> name.contains(first.id())));
    }

    @Test
    void an_upload_deleted_by_command_goes_and_is_made_again() {
        shop.start(settings);
        ImageUpload first = shop.upload("fake", "p", READY);

        assertTrue(await(store.writeIfUnchanged(first.withState(DELETING, Instant.now()))));

        shop.until(now -> now.uploads("fake").size() == 1
                && now.uploads("fake").get(0).state() == READY
                && !now.uploads("fake").get(0).id().equals(first.id()));
        assertEquals(1, shop.cloud.images().size());
    }

    @Test
    void records_of_a_builder_that_is_away_are_removed_by_another_and_its_files_when_it_is_back() throws Exception {
        Workshop.Running owner = shop.start(settings);
        shop.upload("fake", "p", READY);
        ImageBuild build = shop.build("fake", READY);
        owner.stop();
        Workshop.Settings others =
                new Workshop.Settings(folder, Files.createDirectories(folder.resolve("other-images")));
        others.images.put("fake", image("fake", draft -> draft.paused = true));
        others.providers.put("p", wanting("qcow2", "fake"));
        shop.start(others);

        ImageBuild seen = await(store.readBuild("fake", build.id())).orElseThrow();
        assertTrue(await(store.writeIfUnchanged(seen.withState(DELETING, Instant.now()))));
        shop.until(now -> now.builds("fake").isEmpty());
        assertFalse(shop.files().isEmpty());

        settings.images.put("fake", image("fake", draft -> draft.paused = true));
        shop.start(settings);
        shop.untilFiles(List::isEmpty);
    }
}
