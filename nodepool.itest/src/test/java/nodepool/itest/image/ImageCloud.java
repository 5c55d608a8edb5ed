package nodepool.itest.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import nodepool.testkit.Ended;

/** A real OpenStack on loopback, asked with its own client library. */
final class ImageCloud {

    private static final String PYTHON = "/usr/bin/python3";
    private static final Path PROGRAM = Path.of("../nodepool.driver.openstack/src/test/openstack/cloud");
    private static final String CONNECT = "import openstack\ncloud = openstack.connect(cloud=\"nodepool\")\n";

    private final Path folder;
    private final boolean own;

    private ImageCloud(Path folder, boolean own) {
        this.folder = folder;
        this.own = own;
    }

    /** A cloud that runs already can be named with the system property {@code nodepool.openstack.folder}. */
    static ImageCloud start(Path folder) throws IOException, InterruptedException {
        String given = System.getProperty("nodepool.openstack.folder", "");
        if (!given.isEmpty()) {
            return new ImageCloud(Path.of(given), false);
        }
        Ended.of(Map.of(), PYTHON, PROGRAM.toString(), "start", folder.toString())
                .orFail();
        return new ImageCloud(folder, true);
    }

    /** Ends it, unless it was there before. */
    void stop() throws IOException, InterruptedException {
        faults("[]");
        if (own) {
            Ended.of(Map.of(), PYTHON, PROGRAM.toString(), "stop", folder.toString())
                    .orFail();
            Files.createDirectories(folder);
        }
    }

    /** For programs that are to find it. */
    Map<String, String> environment() {
        return Map.of("OS_CLIENT_CONFIG_FILE", folder.resolve("clouds.yaml").toString(), "NO_PROXY", "127.0.0.1");
    }

    /** The text of its {@code clouds.yaml}. */
    String clouds() throws IOException {
        return Files.readString(folder.resolve("clouds.yaml"));
    }

    /** What a script prints that has {@code cloud}, a connection of the user {@code nodepool}. */
    String ask(String script) throws IOException, InterruptedException {
        return Ended.of(environment(), PYTHON, "-W", "ignore", "-c", CONNECT + script)
                .orFail();
    }

    /** Ids of the images that carry our marks, one per line, oldest first. */
    String images() throws IOException, InterruptedException {
        return ask("""
                images = [image for image in cloud.image.images() if "nodepool_build_id" in image.properties]
                for image in sorted(images, key=lambda image: image.created_at):
                    print(image.id)
                """);
    }

    /** From now on these rules are followed; see the README of the scripts. */
    void faults(String rules) throws IOException {
        Path next = Files.writeString(folder.resolve("faults.next"), rules);
        Files.move(next, folder.resolve("faults.json"), StandardCopyOption.ATOMIC_MOVE);
    }
}
