package nodepool.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.image.ImageLogin;
import nodepool.testkit.ManualClock;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What a builder relies on in a provider that manages images; to be extended like {@link ProviderContract}. */
public abstract class ManagedImagesContract {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    /** Opens an empty cloud whose calls pass through {@code faults}. */
    protected abstract ImageCloudUnderTest openCloud(ManualClock clock, FaultPoints faults) throws Exception;

    /** One case: its cloud and the launcher that stands for a builder. */
    private record Scene(ImageCloudUnderTest cloud, SmallLauncher launcher) implements AutoCloseable {

        ManagedImages images() {
            return launcher.provider().images().orElseThrow();
        }

        String upload(ManagedImages.NewImage image, Path file) throws CloudException {
            return launcher.bounded("uploadImage", () -> images().uploadImage(image, file));
        }

        void delete(String id) throws CloudException {
            launcher.bounded("deleteImage", () -> {
                images().deleteImage(id);
                return id;
            });
        }

        List<String> ids() {
            return cloud.uploads().stream().map(CloudUnderTest.Machine::id).toList();
        }

        @Override
        public void close() {
            launcher.close();
        }
    }

    @Test
    void an_image_is_uploaded_with_its_metadata_and_removed() throws Exception {
        try (Scene scene = open()) {
            String id = scene.upload(image("0000000001"), file());
            assertEquals(List.of(id), scene.ids());
            Map<String, String> metadata = scene.cloud().uploads().get(0).metadata();
            assertEquals("build-1", metadata.get(ManagedImages.BUILD_ID));
            assertEquals("0000000001", metadata.get(ManagedImages.UPLOAD_ID));
            assertEquals(scene.launcher().config().name(), metadata.get(Launch.PROVIDER_NAME));
            scene.delete(id);
            assertEquals(List.of(), scene.ids());
        }
    }

    @Test
    void an_image_is_listed() throws Exception {
        try (Scene scene = open()) {
            String id = scene.upload(image("0000000001"), file());
            List<ManagedImages.Existing> listed =
                    scene.launcher().bounded("listImages", () -> scene.images().listImages());
            assertEquals(
                    List.of(id),
                    listed.stream().map(ManagedImages.Existing::externalId).toList());
            assertEquals("build-1", listed.get(0).metadata().get(ManagedImages.BUILD_ID));
        }
    }

    @Test
    void an_image_that_is_gone_is_removed_all_the_same() throws Exception {
        try (Scene scene = open()) {
            String id = scene.upload(image("0000000001"), file());
            scene.delete(id);
            scene.delete(id);
        }
    }

    @Test
    void a_file_that_is_not_there_leaves_no_image() throws Exception {
        try (Scene scene = open()) {
            assertThrows(CloudException.class, () -> scene.upload(image("0000000001"), folder.resolve("none")));
            assertEquals(List.of(), scene.ids());
        }
    }

    @Test
    void an_upload_that_is_repeated_after_a_crash_leaves_one_image() throws Exception {
        try (Scene scene = open()) {
            scene.upload(image("0000000001"), file());
            scene.launcher().restart();
            String id = scene.upload(image("0000000001"), file());
            assertEquals(List.of(id), scene.ids());
            scene.upload(image("0000000002"), file());
            assertEquals(2, scene.ids().size(), "another upload of the build is another image");
        }
    }

    @TestFactory
    Stream<DynamicTest> a_call_that_breaks_while_uploading_leaves_one_image_after_another_try() throws Exception {
        int calls;
        try (Scene scene = open()) {
            scene.launcher().faults().count();
            scene.upload(image("0000000001"), file());
            calls = scene.launcher().faults().calls();
        }
        assertTrue(calls > 0, "the cloud's calls do not pass through the fault points");
        List<DynamicTest> cases = new ArrayList<>();
        for (int call = 1; call <= calls; call++) {
            int number = call;
            for (Break kind : List.of(Break.ERROR, Break.LOST_ANSWER, Break.QUOTA, Break.RATE_LIMIT)) {
                cases.add(dynamicTest("call %d: %s".formatted(call, kind), () -> uploadBroken(kind, number)));
            }
        }
        return cases.stream();
    }

    private void uploadBroken(Break kind, int call) throws Exception {
        try (Scene scene = open()) {
            scene.launcher().faults().arm(kind, call);
            try {
                scene.upload(image("0000000001"), file());
            } catch (CloudException expected) {
                scene.launcher().faults().count();
            }
            String id = scene.upload(image("0000000001"), file());
            assertEquals(List.of(id), scene.ids(), "images");
        }
    }

    private Scene open() throws Exception {
        ManualClock clock = new ManualClock();
        FaultPoints faults = new FaultPoints();
        ImageCloudUnderTest cloud = openCloud(clock, faults);
        return new Scene(cloud, new SmallLauncher(PATIENCE, cloud, faults, clock));
    }

    private Path file() throws Exception {
        return Files.writeString(folder.resolve("image.qcow2"), "not much of an image");
    }

    private static ManagedImages.NewImage image(String upload) {
        return new ManagedImages.NewImage(
                "debian",
                "debian-1",
                "qcow2",
                Map.of(ManagedImages.BUILD_ID, "build-1", ManagedImages.UPLOAD_ID, upload),
                Optional.empty(),
                Optional.empty(),
                new ImageLogin(Optional.empty(), Optional.empty(), Optional.empty()));
    }
}
