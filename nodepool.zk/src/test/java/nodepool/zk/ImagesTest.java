package nodepool.zk;

import static nodepool.zk.Scene.NOW;
import static nodepool.zk.Scene.await;
import static nodepool.zk.Scene.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageLogin;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.Stored;
import nodepool.api.store.HeldLock;
import nodepool.api.store.Snapshot;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds, uploads, their locks, marks and archive against a real server. */
class ImagesTest {

    private static final String BUILD = "0123456789abcdef0123456789abcdef";
    private static final ImageLogin LOGIN = new ImageLogin(Optional.of("zuul"), Optional.of("auto"), Optional.empty());

    @TempDir
    private Path folder;

    private EmbeddedZooKeeper server;
    private Scene scene;
    private ZkStores ours;
    private ZkStores theirs;

    @BeforeEach
    void connect() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        scene = new Scene(server.connectString());
        ours = scene.open();
        theirs = scene.open();
    }

    @AfterEach
    void close() {
        scene.close();
        server.close();
    }

    private static ImageBuild build(ImageState state) {
        return new ImageBuild(
                "fake",
                BUILD,
                state,
                NOW,
                Optional.of("nb01"),
                Optional.of("id"),
                List.of("qcow2", "raw"),
                LOGIN,
                Stored.NEVER);
    }

    private static ImageUpload upload(ImageState state) {
        return new ImageUpload(
                "fake",
                BUILD,
                "p",
                "",
                state,
                NOW,
                Optional.of("ext"),
                Optional.of("name"),
                Optional.of("qcow2"),
                LOGIN,
                Stored.NEVER);
    }

    private ImageBuild recorded(ImageState state) {
        HeldLock lock = await(ours.images().tryLockBuilds("fake")).orElseThrow();
        await(ours.images().create(build(state), lock));
        await(ours.images().unlock(lock));
        return until(ours, now -> !now.builds("fake").isEmpty()).builds("fake").get(0);
    }

    private ImageUpload uploaded(ImageState state) {
        HeldLock lock = await(ours.images().tryLockUploads("fake", BUILD, "p")).orElseThrow();
        ImageUpload made = await(ours.images().create(upload(state), lock));
        await(ours.images().unlock(lock));
        return made;
    }

    @Test
    void the_lock_of_an_image_is_shown_and_taken_once() {
        HeldLock lock = await(ours.images().tryLockBuilds("fake")).orElseThrow();
        until(theirs, now -> now.isBuilding("fake"));

        assertTrue(await(theirs.images().tryLockBuilds("fake")).isEmpty());
        await(ours.images().unlock(lock));
        until(theirs, now -> !now.isBuilding("fake"));
    }

    @Test
    void who_connects_later_sees_the_locks_too() {
        recorded(ImageState.READY);
        assertTrue(await(ours.images().tryLockBuilds("fake")).isPresent());
        assertTrue(await(ours.images().tryLockUploads("fake", BUILD, "p")).isPresent());

        Snapshot seen = scene.open().snapshots().current().orElseThrow();

        assertTrue(seen.isBuilding("fake"));
        assertTrue(seen.isUploading("fake", BUILD, "p"));
        assertFalse(seen.isUploading("fake", BUILD, "q"));
    }

    @Test
    void the_locks_of_a_build_an_upload_and_its_withdrawal_are_taken_once() {
        ImageBuild build = recorded(ImageState.READY);
        ImageUpload upload = uploaded(ImageState.READY);
        assertEquals("0000000001", upload.id());

        assertTrue(await(ours.images().tryLockBuild(build)).isPresent());
        assertTrue(await(theirs.images().tryLockBuild(build)).isEmpty());
        assertTrue(await(ours.images().tryLockUploads("fake", BUILD, "p")).isPresent());
        assertTrue(await(theirs.images().tryLockUploads("fake", BUILD, "p")).isEmpty());
        assertTrue(await(ours.images().tryLockUpload(upload)).isPresent());
        assertTrue(await(theirs.images().tryLockUpload(upload)).isEmpty());
    }

    @Test
    void a_build_with_an_upload_cannot_be_removed_and_goes_whole_without() throws Exception {
        ImageBuild build = recorded(ImageState.DELETING);
        ImageUpload upload = uploaded(ImageState.DELETING);
        HeldLock buildLock = await(ours.images().tryLockBuild(build)).orElseThrow();
        assertFalse(await(ours.images().remove(build, buildLock)));

        HeldLock uploadLock = await(ours.images().tryLockUpload(upload)).orElseThrow();
        assertTrue(await(ours.images().remove(upload, uploadLock)));
        assertTrue(await(ours.images().remove(build, buildLock)));

        assertEquals(List.of("lock"), scene.children("/nodepool/images/fake/builds"));
        assertTrue(await(ours.images().removeImage("fake")));
        assertFalse(scene.exists("/nodepool/images/fake"));
    }

    @Test
    void a_record_is_not_removed_under_somebody_who_uploads() {
        ImageBuild build = recorded(ImageState.DELETING);
        assertTrue(await(theirs.images().tryLockUploads("fake", BUILD, "p")).isPresent());

        HeldLock lock = await(ours.images().tryLockBuild(build)).orElseThrow();

        assertFalse(await(ours.images().remove(build, lock)));
        assertTrue(await(ours.images().readBuild("fake", BUILD)).isPresent());
    }

    @Test
    void locks_of_records_that_are_gone_are_absent_and_so_are_the_records() {
        recorded(ImageState.READY);
        ImageUpload upload = uploaded(ImageState.READY);
        await(ours.images()
                .remove(upload, await(ours.images().tryLockUpload(upload)).orElseThrow()));

        assertTrue(await(ours.images().tryLockUpload(upload)).isEmpty());
        assertTrue(await(ours.images().readUpload(upload)).isEmpty());
        assertTrue(
                await(ours.images().tryLockUploads("fake", "f".repeat(32), "p")).isEmpty());
        assertTrue(await(ours.images().readBuild("fake", "f".repeat(32))).isEmpty());
    }

    @Test
    void an_operator_changes_only_what_he_has_seen() {
        recorded(ImageState.READY);
        ImageBuild seen = await(ours.images().readBuild("fake", BUILD)).orElseThrow();
        ImageBuild deleting = seen.withState(ImageState.DELETING, NOW);

        assertTrue(await(ours.images().writeIfUnchanged(deleting)));
        assertFalse(await(theirs.images().writeIfUnchanged(deleting)));
        assertEquals(
                ImageState.DELETING,
                await(ours.images().readBuild("fake", BUILD)).orElseThrow().state());
    }

    @Test
    void marks_may_be_repeated() {
        for (int time = 0; time < 2; time++) {
            await(ours.imageMarks().pause("fake"));
            await(ours.imageMarks().requestBuild("fake"));
        }
        until(theirs, now -> now.isPaused("fake") && now.isBuildRequested("fake"));
        assertTrue(await(ours.imageMarks().requestedAt("fake")).isPresent());
        assertFalse(await(ours.images().removeImage("fake")));

        for (int time = 0; time < 2; time++) {
            await(ours.imageMarks().unpause("fake"));
            await(ours.imageMarks().fulfilBuild("fake"));
        }
        until(theirs, now -> !now.isPaused("fake") && !now.isBuildRequested("fake"));
        assertTrue(await(ours.imageMarks().requestedAt("fake")).isEmpty());
    }

    @Test
    void what_is_exported_can_be_imported_and_later_uploads_have_higher_numbers() throws Exception {
        recorded(ImageState.READY);
        ImageUpload first = uploaded(ImageState.READY);
        uploaded(ImageState.READY);
        await(ours.images()
                .remove(first, await(ours.images().tryLockUpload(first)).orElseThrow()));
        await(ours.imageMarks().pause("fake"));
        await(ours.imageMarks().requestBuild("fake"));
        Map<String, String> exported = await(ours.imageArchive().read());
        assertEquals(3, exported.size(), exported.toString());
        assertEquals("", exported.get("/nodepool/images/fake/pause"));

        try (Scene empty = new Scene(server.connectString())) {
            empty.put("/other", "");
            ZkStores other = empty.connect(server.connectString(), "/other", java.time.Duration.ofSeconds(10));
            await(other.snapshots().next());
            await(other.imageArchive().write(exported));

            assertEquals(exported, await(other.imageArchive().read()));
            HeldLock lock =
                    await(other.images().tryLockUploads("fake", BUILD, "p")).orElseThrow();
            String next =
                    await(other.images().create(upload(ImageState.READY), lock)).id();
            assertTrue(next.compareTo("0000000002") > 0, next);
        }
    }

    @Test
    void an_upload_without_data_is_removed_unless_somebody_is_in_it() throws Exception {
        recorded(ImageState.READY);
        uploaded(ImageState.READY);
        String uploads = "/nodepool/images/fake/builds/" + BUILD + "/providers/p/images/";
        scene.put(uploads + "0000000007", "");
        Snapshot.Malformed empty =
                until(ours, now -> !now.malformed().isEmpty()).malformed().get(0);
        assertTrue(empty.empty());
        scene.put(uploads + "0000000007/lock", "");
        scene.put(uploads + "0000000007/lock/" + "a".repeat(32) + "__lock__0000000000", "");
        assertFalse(await(ours.images().removeEmpty(empty)));

        scene.delete(uploads + "0000000007/lock/" + "a".repeat(32) + "__lock__0000000000");
        assertTrue(await(ours.images().removeEmpty(empty)));
        until(ours, now -> now.malformed().isEmpty());

        Snapshot.Malformed full = new Snapshot.Malformed(uploads + "0000000001", "upload", "0000000001", "", true);
        assertFalse(await(ours.images().removeEmpty(full)));
        assertTrue(scene.exists(uploads + "0000000001"));
    }

    @Test
    void nothing_but_image_records_is_imported() {
        Map<String, String> foreign = Map.of("/nodepool/nodes/0000000001", "{}");

        assertThrows(CompletionException.class, () -> await(ours.imageArchive().write(foreign)));
    }
}
