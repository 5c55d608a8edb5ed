package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageLogin;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.Stored;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.HeldLock;
import nodepool.api.verdict.Reason.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Labels that start from managed images, and from images the cloud has. */
class ImagesTest {

    private static final ImageLogin NO_LOGIN = new ImageLogin(Optional.empty(), Optional.empty(), Optional.empty());

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_node_is_made_from_the_newest_ready_upload_to_its_provider() {
        upload("east", ImageState.READY, "old");
        upload("east", ImageState.FAILED, "failed");
        upload("west", ImageState.READY, "wrong");
        ImageUpload newest = upload("east", ImageState.READY, "new");
        scene.launcher(configuration("east"));

        Node node = scene.zuul().awaitNode(scene.zuul().request("small"));

        assertEquals(Optional.of(newest.path()), node.machine().imageId());
        assertEquals("new", scene.cloud().servers().get(0).image());
    }

    @Test
    void an_upload_that_comes_while_the_launcher_runs_is_used_by_the_next_launch() {
        upload("east", ImageState.READY, "old");
        scene.launcher(configuration("east"));
        scene.zuul().awaitNode(scene.zuul().request("small"));

        upload("east", ImageState.READY, "new");
        scene.settle();
        scene.zuul().awaitNode(scene.zuul().request("small"));

        assertEquals("new", scene.cloud().servers().get(1).image());
    }

    @Test
    void a_request_fails_when_no_provider_has_the_image() {
        LauncherProcess launcher = scene.launcher(configuration("east"));

        String request = scene.zuul().request("small");

        scene.zuul().awaitFailed(request);
        launcher.awaitDeclined(request, Code.IMAGE_MISSING);
    }

    @Test
    void a_request_fails_when_the_cloud_lacks_the_image_it_should_have() {
        LauncherProcess launcher = scene.launcher(Yaml.inProviders(
                "cloud-images: [{name: missing}]",
                Yaml.labels("small")
                        + "providers:\n"
                        + Yaml.provider("east", List.of("{name: small, cloud-image: missing}"))));

        String request = scene.zuul().request("small");

        scene.zuul().awaitFailed(request);
        launcher.awaitDeclined(request, Code.IMAGE_MISSING);
    }

    @Test
    void the_provider_that_has_the_image_serves_and_keeps_all_of_the_stock() {
        upload("west", ImageState.READY, "there");
        scene.launcher(configuration("east", "west").replaceFirst("- name: small", "- {name: small, min-ready: 2}"));

        List<Node> nodes = scene.awaitNodes(2, NodeState.READY);

        assertTrue(nodes.stream().allMatch(node -> node.isIn("west", "main")));
        scene.settle();
        assertEquals(0, scene.cloud("east").creations());
    }

    @Test
    void the_stock_is_made_as_soon_as_the_image_is_there() {
        scene.launcher(configuration("east").replaceFirst("- name: small", "- {name: small, min-ready: 1}"));
        scene.settle();
        assertEquals(0, scene.cloud().creations());

        upload("east", ImageState.READY, "new");

        scene.awaitNodes(1, NodeState.READY);
    }

    private ImageUpload upload(String provider, ImageState state, String externalId) {
        String build = "%032x".formatted(externalId.hashCode());
        var images = scene.stores().images();
        HeldLock building = Bell.await(images.tryLockBuilds("debian")).orElseThrow();
        Bell.await(images.create(
                new ImageBuild(
                        "debian",
                        build,
                        ImageState.READY,
                        scene.clock().instant(),
                        Optional.of("builder1"),
                        Optional.of("id1"),
                        List.of("qcow2"),
                        NO_LOGIN,
                        Stored.NEVER),
                building));
        Bell.await(images.unlock(building));
        HeldLock uploading =
                Bell.await(images.tryLockUploads("debian", build, provider)).orElseThrow();
        ImageUpload upload = Bell.await(images.create(
                new ImageUpload(
                        "debian",
                        build,
                        provider,
                        "",
                        state,
                        scene.clock().instant(),
                        Optional.of(externalId),
                        Optional.of("debian-" + externalId),
                        Optional.of("qcow2"),
                        NO_LOGIN,
                        Stored.NEVER),
                uploading));
        Bell.await(images.unlock(uploading));
        return upload;
    }

    private static String configuration(String... providers) {
        StringBuilder yaml = new StringBuilder(Yaml.labels("small") + """
                diskimages:
                  - name: debian
                    elements: [debian-minimal]
                providers:
                """);
        for (String provider : providers) {
            yaml.append(Yaml.provider(provider, List.of("{name: small, diskimage: debian}")));
        }
        return Yaml.inProviders("diskimages: [{name: debian}]", yaml.toString());
    }
}
