package nodepool.driver.openstack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.ManagedImages.NewImage;
import nodepool.api.image.ImageLogin;
import nodepool.driver.openstack.cloud.Images;
import nodepool.driver.openstack.cloud.Images.Image;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads to the real image service. */
class ImagesIT {

    @TempDir
    Path folder;

    private RealCloud cloud;
    private AdapterScene scene;
    private Images images;
    private Path file;

    @BeforeEach
    void open() throws Exception {
        cloud = RealCloud.get();
        cloud.noFaults();
        scene = new AdapterScene(cloud, folder, "", "");
        images = new Images(scene.bare);
        byte[] content = new byte[3 << 20];
        new Random(7).nextBytes(content);
        file = Files.write(folder.resolve("image.raw"), content);
    }

    @AfterEach
    void nothing_is_left() throws Exception {
        cloud.noFaults();
        for (ManagedImages.Existing image : scene.adapter.listImages()) {
            scene.adapter.deleteImage(image.externalId());
        }
        scene.close();
    }

    private static NewImage image(String upload, Optional<String> md5) {
        return new NewImage(
                "debian",
                "debian-1",
                "raw",
                Map.of(
                        ManagedImages.BUILD_ID,
                        "0123456789abcdef0123456789abcdef",
                        ManagedImages.UPLOAD_ID,
                        upload,
                        Launch.PROVIDER_NAME,
                        "real",
                        "hw_disk_bus",
                        "scsi",
                        "min_disk",
                        "3",
                        "os_hidden",
                        "true"),
                md5,
                Optional.empty(),
                new ImageLogin(Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @Test
    void an_image_arrives_whole_with_its_properties_and_can_be_removed() throws Exception {
        String id = scene.adapter.uploadImage(image("0000000001", Optional.empty()), file);
        Image there = images.image(id).orElseThrow();
        assertTrue(there.isActive());
        assertEquals("debian-1", there.name());
        assertEquals("scsi", there.properties().get("hw_disk_bus"));
        assertEquals(
                List.of(id),
                scene.adapter.listImages().stream()
                        .map(ManagedImages.Existing::externalId)
                        .toList());
        scene.adapter.deleteImage(id);
        scene.adapter.deleteImage(id);
        assertEquals(List.of(), scene.adapter.listImages());
    }

    @Test
    void an_upload_that_was_interrupted_after_its_end_is_found() throws Exception {
        String id = scene.adapter.uploadImage(image("0000000002", Optional.empty()), file);
        assertEquals(id, scene.adapter.uploadImage(image("0000000002", Optional.empty()), file));
        assertNotEquals(id, scene.adapter.uploadImage(image("0000000003", Optional.empty()), file));
    }

    @Test
    void a_content_that_is_not_what_was_built_is_removed_again() throws Exception {
        CloudException damaged = assertThrows(
                CloudException.class,
                () -> scene.adapter.uploadImage(
                        image("0000000004", Optional.of("00000000000000000000000000000000")), file));
        assertTrue(damaged.getMessage().contains("arrived damaged"), damaged.getMessage());
        assertEquals(List.of(), scene.adapter.listImages());
    }

    @Test
    void an_upload_that_fails_leaves_nothing() throws Exception {
        cloud.fault("""
                {"service": "image", "method": "PUT", "status": 500, "count": 1}""");
        assertThrows(
                CloudException.class, () -> scene.adapter.uploadImage(image("0000000005", Optional.empty()), file));
        assertEquals(List.of(), scene.adapter.listImages());
    }

    @Test
    void an_image_whose_making_was_not_confirmed_is_removed_by_the_next_try() throws Exception {
        cloud.fault("""
                {"service": "image", "method": "POST", "path": "/images$", "status": 504, "when": "after", "count": 1}""");
        assertThrows(
                CloudException.class, () -> scene.adapter.uploadImage(image("0000000006", Optional.empty()), file));
        assertEquals(1, scene.adapter.listImages().size());
        String id = scene.adapter.uploadImage(image("0000000006", Optional.empty()), file);
        assertEquals(
                List.of(id),
                scene.adapter.listImages().stream()
                        .map(ManagedImages.Existing::externalId)
                        .toList());
    }

    @Test
    void an_unavailable_image_service_is_asked_again() throws Exception {
        cloud.fault("""
                {"service": "image", "method": "GET", "status": 503, "count": 2}""");
        assertTrue(scene.adapter.labelReady(
                scene.config.pools().get(0).label("small").orElseThrow()));
    }
}
