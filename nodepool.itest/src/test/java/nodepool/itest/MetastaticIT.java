package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import nodepool.testkit.Ended;
import nodepool.testkit.FreePort;
import nodepool.testkit.Running;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slots on machines of another provider of the same launcher, asked for by a user. */
class MetastaticIT {

    private static final Pattern NODE = Pattern.compile("Node (\\d{10}) ");

    @TempDir
    Path folder;

    private Map<String, String> environment;
    private String tool;
    private Running quickstart;

    @BeforeEach
    void start() throws Exception {
        tool = Installation.program("nodepool");
        environment = Map.of("NODEPOOL_VAR", folder.resolve("var").toString());
        Path config = folder.resolve("metastatic.yaml");
        try (var in = MetastaticIT.class.getResourceAsStream("/metastatic.yaml")) {
            Files.copy(Objects.requireNonNull(in), config);
        }
        quickstart = Running.start(
                environment,
                List.of(
                        tool,
                        "quickstart",
                        "-c",
                        config.toString(),
                        "--port",
                        Integer.toString(FreePort.find()),
                        "--zk-port",
                        Integer.toString(FreePort.find())));
        quickstart.await("Provider slicer is in service");
    }

    @AfterEach
    void end() {
        quickstart.close();
    }

    @Test
    void three_nodes_take_two_machines_which_go_when_the_nodes_have_gone() throws Exception {
        Ended got = nodepool("request", "slot", "slot", "slot", "--wait");

        assertEquals(0, got.code(), got.output());
        List<String> nodes = nodes(got.output());
        assertEquals(3, nodes.size(), got.output());
        String listed = nodepool("list").output();
        assertEquals(
                2, listed.lines().filter(line -> line.contains("| fake-cloud ")).count(), listed);
        assertEquals(
                3, listed.lines().filter(line -> line.contains("| slicer ")).count(), listed);

        for (String node : nodes) {
            Ended deleted = nodepool("delete", node);
            assertEquals(0, deleted.code(), deleted.output());
            quickstart.await("Deleted node " + node);
        }
        for (String backing : backing(listed)) {
            quickstart.await("Backing node " + backing + " has been idle for");
            quickstart.await("Deleted node " + backing);
        }
    }

    @Test
    void a_provider_taken_out_of_the_configuration_gives_back_its_machines_as_its_nodes_go() throws Exception {
        List<String> nodes =
                nodes(nodepool("request", "slot", "slot", "slot", "--wait").orFail());
        List<String> backing = backing(nodepool("list").orFail());
        Path config = folder.resolve("var/quickstart.yaml");
        Files.writeString(config, Files.readString(config).replaceAll("(?s)  - name: slicer.*", ""));
        quickstart.await("Provider slicer is no longer configured");

        for (String node : nodes) {
            nodepool("delete", node).orFail();
            quickstart.await("Deleted node " + node);
        }

        for (String machine : backing) {
            quickstart.await("Deleted node " + machine);
        }
        quickstart.await("Removing provider slicer");
    }

    private static List<String> nodes(String output) {
        List<String> ids = new ArrayList<>();
        Matcher node = NODE.matcher(output);
        while (node.find()) {
            ids.add(node.group(1));
        }
        return ids;
    }

    private static List<String> backing(String listed) {
        List<String> ids = listed.lines()
                .filter(line -> line.contains("| fake-cloud "))
                .map(line -> line.replaceAll("^\\| (\\d{10}) .*", "$1"))
                .toList();
        assertTrue(ids.stream().allMatch(id -> id.matches("\\d{10}")), listed);
        return ids;
    }

    private Ended nodepool(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = tool;
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return Ended.of(environment, command);
    }
}
