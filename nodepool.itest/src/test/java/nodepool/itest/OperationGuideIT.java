package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import nodepool.testkit.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the original's operation guide, typed one after the other against a running system. */
class OperationGuideIT {

    private static final String NODES = "| ID         | Provider   | Label | Server ID ";
    private static final List<String> SUBCOMMANDS = List.of(
            "dib-image-list",
            "image-list",
            "image-build",
            "dib-image-delete",
            "image-delete",
            "list",
            "delete",
            "info",
            "erase",
            "alien-image-list");

    @TempDir
    private Path folder;

    @Test
    void an_operator_who_follows_the_guide_sees_what_it_says() throws Exception {
        try (Quickstart system = Quickstart.start(folder, Map.of())) {
            help(system);
            images(system);
            nodes(system);
            data(system);
            assertEquals(
                    List.of("| Provider | Name | Image ID |"),
                    rows(said(0, system, "alien-image-list")).toList());
            assertEquals(0, system.process().stop().code());
        }
    }

    private static void help(Quickstart system) throws Exception {
        String help = said(0, system, "--help");
        SUBCOMMANDS.forEach(command -> assertTrue(help.contains("\n  " + command + " "), command));
        for (String command : List.of("image-build", "image-delete", "erase")) {
            assertTrue(said(0, system, command, "--help").startsWith("usage: nodepool " + command + " [-h]"), command);
        }
    }

    private static void images(Quickstart system) throws Exception {
        assertTrue(said(0, system, "dib-image-list").contains("| ID | Image | Builder | Formats | State | Age |"));
        assertTrue(said(0, system, "image-list").contains("| Build ID | Upload ID | Provider | Image |"));
        assertEquals(
                "Trying to build a non disk-image-builder image: ubuntu-noble\n",
                said(1, system, "image-build", "ubuntu-noble"));
        assertEquals("Build ubuntu-1 not found\n", said(1, system, "dib-image-delete", "ubuntu-1"));
        assertEquals(
                "Image upload not found\n",
                said(
                        1,
                        system,
                        "image-delete",
                        "--provider",
                        "fake-cloud",
                        "--image",
                        "ubuntu",
                        "--upload-id",
                        "0000000001",
                        "--build-id",
                        "0000000001"));
    }

    private static void nodes(Quickstart system) throws Exception {
        String list = said(0, system, "list");
        assertTrue(list.contains(NODES), list);
        String id = firstNodeOf(system, "fake-cloud");
        assertTrue(said(0, system, "list", "--detail").contains("| Launcher "));
        assertTrue(said(0, system, "delete", id).contains("| deleting |"));
        system.process().await("Deleted node " + id);

        String next = firstNodeOf(system, "fake-cloud");
        assertTrue(said(0, system, "delete", "--now", next).contains("| ID | Provider | Label |"));
        assertEquals("Node id " + next + " not found\n", said(1, system, "delete", next));
    }

    private static void data(Quickstart system) throws Exception {
        String shown = said(0, system, "info", "fake-cloud");
        assertTrue(shown.startsWith("ZooKeeper data for provider fake-cloud\n\nImage data:\n"), shown);
        assertTrue(shown.contains("\nNodes:\n"), shown);

        String asked = said(0, system, "erase", "rack");
        assertTrue(asked.contains("WARNING! This action is not reversible!\nErase ZooKeeper data for provider rack?"));
        assertTrue(asked.endsWith("Aborting. No data erased.\n"), asked);
        assertTrue(said(0, system, "erase", "--force", "nowhere").contains("Erasing node data for nowhere...\n"));
    }

    private static String firstNodeOf(Quickstart system, String provider) throws Exception {
        String csv = said(
                0,
                system,
                "list",
                "--provider",
                provider,
                "--state",
                "ready",
                "--fields",
                "id",
                "--format",
                "csv",
                "--no-headers");
        return csv.lines().findFirst().orElseThrow();
    }

    /** The lines of a table that are no rules. */
    private static Stream<String> rows(String table) {
        return table.lines().filter(line -> line.startsWith("|"));
    }

    private static String said(int code, Quickstart system, String... words) throws Exception {
        Ended ended = system.nodepool(words);
        assertEquals(code, ended.code(), String.join(" ", words) + ": " + ended.output());
        return ended.output();
    }
}
