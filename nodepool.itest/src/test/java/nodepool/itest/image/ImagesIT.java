package nodepool.itest.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import nodepool.testkit.Ended;
import nodepool.testkit.RealPart;
import nodepool.testkit.Running;
import nodepool.testkit.ZooKeeperProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images from their build to their removal: real builds, a real image service, servers made from them. */
class ImagesIT {

    private static final String PROVIDER = """
            labels: [{name: small, min-ready: 1}]
            providers:
              - name: real
                driver: openstack
                cloud: nodepool
                rate: 0
                diskimages: [{name: tiny, pause: false, meta: {kind: tiny}}]
                pools:
                  - name: main
                    networks: [private]
                    auto-floating-ip: false
                    host-key-checking: false
                    labels: [{name: small, diskimage: tiny, flavor-name: m1.tiny}]
            """;

    private static final String MD5_OF_TWO_GIBIBYTES_OF_ZEROS = "a981130cf2b7e09f4686dc273cf7187e";

    /** Two gibibytes that occupy nothing. */
    private static final String LARGE = """
            #!/bin/sh
            while [ "$1" != -o ]; do shift; done
            truncate -s 2G "$2.raw"
            echo "%s  $2.raw" >"$2.raw.md5"
            """;

    @TempDir
    static Path cloudFolder;

    private static ImageCloud cloud;

    @TempDir
    Path folder;

    private ZooKeeperProcess zooKeeper;

    @BeforeAll
    static void start_the_cloud() throws Exception {
        for (RealPart part : List.of(RealPart.OPENSTACK, RealPart.ZOOKEEPER, RealPart.DISKIMAGE_BUILDER)) {
            part.require();
        }
        cloud = ImageCloud.start(cloudFolder);
    }

    @AfterAll
    static void stop_the_cloud() throws Exception {
        cloud.stop();
    }

    @BeforeEach
    void start_zookeeper() throws Exception {
        zooKeeper = ZooKeeperProcess.start(Files.createDirectory(folder.resolve("zk")));
        TinyImage.write(folder.resolve("elements"));
    }

    @AfterEach
    void nothing_is_left_in_the_cloud() throws Exception {
        zooKeeper.close();
        cloud.faults("[]");
        cloud.ask("""
                for server in cloud.compute.servers():
                    cloud.compute.delete_server(server)
                    cloud.compute.wait_for_delete(server)
                for image in cloud.image.images():
                    if "nodepool_build_id" in image.properties:
                        cloud.image.delete_image(image)
                """);
    }

    private BuildHost host(String name, String... more) throws IOException {
        BuildHost host = new BuildHost(Files.createDirectory(folder.resolve(name)), cloud.environment());
        host.configure(zooKeeper.nodepoolConfiguration()
                + TinyImage.entry(folder.resolve("elements"))
                + String.join("", more));
        return host;
    }

    /** The image in the cloud from which the one server of ours was made. */
    private static String imageOfTheServer() throws Exception {
        return cloud.ask("print([server.image.id for server in cloud.compute.servers()][0])")
                .strip();
    }

    private static String word(String line, String before, String after) {
        int begin = line.indexOf(before) + before.length();
        return line.substring(begin, line.indexOf(after, begin));
    }

    /** Makes another server in place of the one there is, and tells from which image. */
    private static String imageOfTheNextServer(BuildHost host, Running launcher) throws Exception {
        int known = launcher.size();
        String node = host.rows("list").get(0).split(",", 2)[0];
        host.nodepool("delete", node).orFail();
        launcher.awaitAfter(known, "Deleted node " + node);
        launcher.awaitAfter(known, "is ready");
        return imageOfTheServer();
    }

    @Test
    void an_image_is_built_uploaded_booted_replaced_reverted_and_removed_everywhere() throws Exception {
        BuildHost host = host("host", PROVIDER);
        try (Running builder = host.builder();
                Running launcher = host.launcher()) {
            String first = uploaded(builder, 0);
            assertThatTheCloudHasWhatWasBuilt(host, first);
            launcher.await("is ready");
            assertEquals(first, imageOfTheServer());

            int known = builder.size();
            host.nodepool("image-build", "tiny", "--wait").orFail();
            String second = uploaded(builder, known);
            assertEquals(second, imageOfTheNextServer(host, launcher));

            known = builder.size();
            host.nodepool("image-build", "tiny", "--wait").orFail();
            String third = uploaded(builder, known);
            builder.awaitAfter(known, "is removed");
            assertEquals(List.of(second, third), cloud.images().lines().toList());
            assertEquals(2, host.rows("dib-image-list").size());
            builder.awaitAfter(known, "Deleting the files of build");
            NavigableSet<String> kept = host.builds("tiny");
            assertEquals(2, kept.size(), kept.toString());

            // An upload that is deleted is made again, unless it is paused there.
            host.configure(zooKeeper.nodepoolConfiguration()
                    + TinyImage.entry(folder.resolve("elements"))
                    + PROVIDER.replace("pause: false", "pause: true"));
            List<String> newest = host.rows("image-list").stream()
                    .filter(row -> row.contains(third))
                    .toList();
            String[] upload = newest.get(0).split(",");
            known = builder.size();
            host.nodepool(
                            "image-delete",
                            "--provider",
                            "real",
                            "--image",
                            "tiny",
                            "--build-id",
                            upload[0],
                            "--upload-id",
                            upload[1])
                    .orFail();
            builder.awaitAfter(known, "is removed");
            assertEquals(List.of(second), cloud.images().lines().toList());
            assertEquals(second, imageOfTheNextServer(host, launcher));

            host.configure(zooKeeper.nodepoolConfiguration()
                    + TinyImage.entry(folder.resolve("elements"))
                    + PROVIDER.replace("min-ready: 1", "min-ready: 0"));
            known = builder.size();
            for (String old : kept) {
                host.nodepool("dib-image-delete", "tiny-" + old).orFail();
            }
            String build = word(builder.awaitAfter(known, "Image tiny is built as"), "built as ", ",");
            String fourth =
                    word(builder.awaitAfter(known, "Build " + build + " of image tiny is "), "tiny is ", " at real");
            for (String gone : kept) {
                builder.awaitAfter(known, "Build " + gone + " of image tiny is removed");
            }
            assertEquals(List.of(fourth), cloud.images().lines().toList());
            assertFalse(host.builds("tiny").stream().anyMatch(kept::contains));
            assertEquals(0, launcher.stop().code(), launcher::all);
            assertEquals(0, builder.stop().code(), builder::all);
            assertFalse(builder.all().contains(" ERROR "), builder.all());
            assertFalse(builder.all().contains(" WARN "), builder.all());
        }
        host.assertNothingIsLeft();
    }

    /** Waits for an upload after that many lines, and tells its id in the cloud. */
    private static String uploaded(Running builder, int known) throws Exception {
        return word(builder.awaitAfter(known, " at real, uploaded in "), " is ", " at real");
    }

    private static void assertThatTheCloudHasWhatWasBuilt(BuildHost host, String id) throws Exception {
        String build = host.builds("tiny").first();
        Path file = host.path("images/tiny-" + build + ".qcow2");
        String there = cloud.ask("""
                image = cloud.image.get_image("%s")
                print(image.disk_format, image.status, image.size, image.checksum, image.properties["purpose"],
                      image.properties["kind"], image.properties["nodepool_build_id"],
                      image.properties["nodepool_upload_id"], image.properties["nodepool_provider_name"])
                """.formatted(id));
        String md5 = Files.readString(file.resolveSibling(file.getFileName() + ".md5"))
                .substring(0, 32);
        String upload = host.rows("image-list").get(0).split(",")[1];
        assertEquals(
                "qcow2 active %d %s tests tiny %s %s real\n".formatted(Files.size(file), md5, build, upload), there);
        assertTrue(Files.size(host.path("images/tiny-" + build + ".raw")) == 64 << 20);
    }

    @Test
    void what_a_killed_builder_was_at_is_taken_up_by_another_and_leaves_nothing() throws Exception {
        Ended.of(Map.of(), "mkfifo", folder.resolve("elements/hanging").toString())
                .orFail();
        BuildHost one = host("one", PROVIDER);
        BuildHost other = host("other", PROVIDER);
        Files.createFile(folder.resolve("elements/hang"));
        ProcessHandle hook;
        try (Running killed = one.builder()) {
            hook = ProcessHandle.of(Long.parseLong(
                            Files.readString(folder.resolve("elements/hanging")).strip()))
                    .orElseThrow();
            killed.kill();
        }
        Files.delete(folder.resolve("elements/hang"));
        cloud.faults("""
                [{"id": "%s", "service": "image", "method": "PUT", "path": "/file", "delay": 90, "count": 1}]""".formatted(folder));
        try (Running killed = other.builder()) {
            killed.await("is removed");
            killed.await("Image tiny is built as");
            killed.await("Uploading build");
            try (Running again = one.builder()) {
                again.await("which a dead builder has left running");
                hook.onExit().get(Running.DEADLINE.toSeconds(), TimeUnit.SECONDS);
                again.await("Builder id is");
                one.assertNothingIsLeft();
                killed.kill();
                again.await("was abandoned by its uploader");
                again.await("is removed");
                assertEquals("", cloud.images());
                try (Running back = other.builder()) {
                    String uploaded = uploaded(back, 0);
                    assertEquals(uploaded + "\n", cloud.images());
                    assertEquals(0, back.stop().code(), back::all);
                }
                assertEquals(0, again.count("Image tiny is built as"), again::all);
                assertEquals(0, again.stop().code(), again::all);
            }
        }
        assertEquals(1, one.rows("dib-image-list").size());
        assertEquals(1, one.rows("image-list").size());
        assertEquals(new TreeSet<>(), one.builds("tiny"));
        assertEquals(1, other.builds("tiny").size());
        other.assertNothingIsLeft();
    }

    @Test
    void two_gibibytes_are_uploaded_with_a_heap_of_64_mebibytes() throws Exception {
        Path command = Files.writeString(folder.resolve("large"), LARGE.formatted(MD5_OF_TWO_GIBIBYTES_OF_ZEROS));
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
        BuildHost host = new BuildHost(
                Files.createDirectory(folder.resolve("host")),
                Map.of(
                        "OS_CLIENT_CONFIG_FILE",
                        Files.writeString(
                                        folder.resolve("clouds.yaml"),
                                        cloud.clouds().replace("  nodepool:\n", "  nodepool:\n    image_format: raw\n"))
                                .toString(),
                        "NO_PROXY",
                        "127.0.0.1"));
        host.configure(zooKeeper.nodepoolConfiguration()
                + "diskimages: [{name: tiny, dib-cmd: " + command + "}]\n"
                + PROVIDER);
        try (Running builder = host.builder(Map.of("NODEPOOL_JAVA_OPTS", "-Xmx64m"))) {
            String id = uploaded(builder, 0);
            assertEquals("raw active 2147483648 " + MD5_OF_TWO_GIBIBYTES_OF_ZEROS + "\n", cloud.ask("""
                            image = cloud.image.get_image("%s")
                            print(image.disk_format, image.status, image.size, image.checksum)
                            """.formatted(id)));
            assertEquals(0, builder.stop().code(), builder::all);
        }
    }
}
