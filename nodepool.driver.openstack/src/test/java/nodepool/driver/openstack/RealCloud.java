package nodepool.driver.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.driver.openstack.cloud.Caller;
import nodepool.driver.openstack.clouds.CloudFiles;
import nodepool.driver.openstack.clouds.CloudResolver;
import nodepool.driver.openstack.clouds.CloudSettings;
import nodepool.driver.openstack.clouds.Service;
import nodepool.driver.openstack.http.Call;
import nodepool.driver.openstack.http.OpenStackClient;
import nodepool.driver.openstack.http.RequestListener;
import nodepool.testkit.Ended;
import nodepool.testkit.RealPart;

/** Keystone, Glance, Nova, Neutron and Cinder on loopback, with faults on demand; one for all tests of a JVM. */
final class RealCloud {

    private static final Path PROGRAM = Path.of("src/test/openstack/cloud");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path work;
    private final Caller administrator;
    private final List<ObjectNode> rules = new ArrayList<>();

    private RealCloud(Path work) throws Exception {
        this.work = work;
        this.administrator = caller("admin");
    }

    private static Optional<RealCloud> running = Optional.empty();
    private static boolean asked;

    /**
     * The cloud; started by the first who asks, once: where it could not be started, a second attempt would only take as long.
     * Skips or fails the test if it cannot run here.
     */
    static synchronized RealCloud get() throws Exception {
        if (!asked) {
            RealPart.OPENSTACK.require();
            asked = true;
            running = Optional.of(new RealCloud(start()));
        }
        return running.orElseThrow(() -> new AssertionError("the cloud could not be started, see above"));
    }

    /** A cloud that runs already can be named with the system property {@code nodepool.openstack.folder}. */
    private static Path start() throws Exception {
        String given = System.getProperty("nodepool.openstack.folder", "");
        if (!given.isEmpty()) {
            return Path.of(given);
        }
        Path folder = Files.createTempDirectory("openstack");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> run("stop", folder)));
        run("start", folder);
        return folder;
    }

    private static void run(String what, Path folder) {
        try {
            Ended.of(Map.of(), "/usr/bin/python3", PROGRAM.toString(), what, folder.toString())
                    .orFail();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    CloudFiles files() {
        return files(work.resolve("nothing.yaml"));
    }

    /** @param secure what it says wins over how the cloud really is */
    CloudFiles files(Path secure) {
        return new CloudFiles(
                Map.of(
                        "OS_CLIENT_CONFIG_FILE",
                        work.resolve("clouds.yaml").toString(),
                        "OS_CLIENT_SECURE_FILE",
                        secure.toString()),
                work,
                work);
    }

    CloudSettings settings(String cloud) throws Exception {
        return settings(cloud, files());
    }

    static CloudSettings settings(String cloud, CloudFiles files) throws Exception {
        return new CloudResolver(files.read(), warning -> {}).resolve(cloud, Optional.empty());
    }

    Caller caller(String cloud) throws Exception {
        return caller(settings(cloud), (service, method, operation, status, took) -> {});
    }

    static Caller caller(CloudSettings settings, RequestListener listener) throws Exception {
        return new Caller(
                settings.name(),
                new OpenStackClient(settings.name(), settings, Map.of(), Clock.systemUTC(), listener),
                Duration.ZERO);
    }

    /** Makes calls as the cloud's administrator. */
    JsonNode administrate(Call call) throws Exception {
        return administrator.call(call).body();
    }

    /** Sets limits of the project {@code nodepool}, by compute's names. */
    void computeQuota(Map<String, Integer> limits) throws Exception {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        limits.forEach(body.putObject("quota_set")::put);
        administrate(put(Service.COMPUTE, "/os-quota-sets/" + project(), body));
    }

    /** Sets limits of the project {@code nodepool}, by the network service's names. */
    void networkQuota(Map<String, Integer> limits) throws Exception {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        limits.forEach(body.putObject("quota")::put);
        administrate(put(Service.NETWORK, "/quotas/" + project(), body));
    }

    /** Sets limits of the project {@code nodepool}, by block storage's names. */
    void volumeQuota(Map<String, Integer> limits) throws Exception {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        limits.forEach(body.putObject("quota_set")::put);
        administrate(put(Service.BLOCK_STORAGE, "/os-quota-sets/" + project(), body));
    }

    private static Call put(Service service, String path, JsonNode body) {
        return new Call(
                service, "PUT", path, Map.of(), new Call.Body.Json(body), true, Optional.empty(), Optional.empty());
    }

    private String project() throws Exception {
        try (Caller own = caller("nodepool")) {
            return own.project().orElseThrow();
        }
    }

    /** From now on this rule is followed as well; see the README of the scripts for its fields. */
    void fault(String rule) throws IOException {
        ObjectNode parsed = (ObjectNode) JSON.readTree(rule);
        parsed.put("id", "rule-" + System.nanoTime());
        rules.add(parsed);
        writeFaults();
    }

    void noFaults() throws IOException {
        rules.clear();
        writeFaults();
    }

    private void writeFaults() throws IOException {
        Path next = Files.writeString(work.resolve("faults.next"), rules.toString());
        Files.move(next, work.resolve("faults.json"), StandardCopyOption.ATOMIC_MOVE);
    }
}
