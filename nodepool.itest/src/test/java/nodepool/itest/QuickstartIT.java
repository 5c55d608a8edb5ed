package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import nodepool.itest.Installation.Ended;
import nodepool.itest.Installation.Running;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole system, started as a newcomer starts it. */
class QuickstartIT {

    @TempDir
    Path folder;

    private Map<String, String> environment;
    private String tool;
    private int zkPort;
    private Running quickstart;

    @BeforeEach
    void start() throws Exception {
        zkPort = Installation.freePort();
        tool = Installation.home().resolve("bin/nodepool").toString();
        environment = Map.of("NODEPOOL_VAR", folder.resolve("var").toString());
        quickstart = Installation.start(
                environment,
                tool,
                "quickstart",
                "--port",
                Integer.toString(Installation.freePort()),
                "--zk-port",
                Integer.toString(zkPort));
        quickstart.await(line -> line.contains("Fulfilled node request 900-"));
    }

    @AfterEach
    void end() {
        quickstart.close();
    }

    @Test
    void a_second_terminal_gets_a_node_and_gives_it_back() throws Exception {
        Ended got = nodepool("request", "small", "--wait");
        assertEquals(0, got.code(), got.output());
        assertTrue(got.output().contains(" fulfilled"), got.output());
        String node = got.output().replaceAll("(?s).*Node (\\d{10}) .*", "$1");

        assertTrue(nodepool("list").output().contains("| " + node + " | fake-cloud | small |"));
        assertEquals(0, nodepool("delete", node).code());
        quickstart.await(line -> line.contains("Deleted node " + node));
    }

    @Test
    void a_static_slot_is_given_out_and_comes_back() throws Exception {
        Ended got = nodepool("request", "metal", "metal", "--wait");
        assertTrue(got.output().contains(" fulfilled"), got.output());
    }

    @Test
    void a_request_for_an_unknown_label_fails_and_the_others_are_served() throws Exception {
        Ended got = nodepool("request", "no-such-label", "--wait");
        assertEquals(1, got.code());
        assertTrue(got.output().contains(" failed"), got.output());
        assertEquals(0, nodepool("request", "small", "--wait").code());
    }

    @Test
    void a_requestor_written_with_kazoo_does_what_zuul_does() throws Exception {
        boolean kazoo = Files.isExecutable(Path.of("/usr/bin/python3"))
                && Installation.run(Map.of(), "/usr/bin/python3", "-c", "import kazoo")
                                .code()
                        == 0;
        if (!"true".equals(System.getenv("CI"))) {
            assumeTrue(kazoo, "skipped: python3-kazoo is not installed");
        }
        Path script = folder.resolve("zuul.py");
        try (var in = QuickstartIT.class.getResourceAsStream("/zuul.py")) {
            Files.copy(Objects.requireNonNull(in), script);
        }
        Ended done = Installation.run(
                Map.of(), "/usr/bin/python3", script.toString(), "127.0.0.1:" + zkPort, "small", "small");
        assertEquals(0, done.code(), done.output());
        assertTrue(done.output().endsWith("used\ngone\n"), done.output());
    }

    @Test
    void bad_records_are_named_once_and_stop_nobody() throws Exception {
        boolean kazoo = Installation.run(Map.of(), "/usr/bin/python3", "-c", "import kazoo")
                        .code()
                == 0;
        if (!"true".equals(System.getenv("CI"))) {
            assumeTrue(kazoo, "skipped: python3-kazoo is not installed");
        }
        String write = """
                from kazoo.client import KazooClient
                c = KazooClient(hosts='127.0.0.1:%d'); c.start()
                c.create('/nodepool/requests/200-', b'', sequence=True)
                c.create('/nodepool/requests/200-', b'no json', sequence=True)
                c.create('/nodepool/requests/nohyphen', b'{}')
                c.create('/nodepool/requests/200-', b'{"state": "requested", "node_types": null}', sequence=True)
                c.create('/nodepool/nodes/', b'{"state": "strange"}', sequence=True)
                c.create('/nodepool/components/pool/x', b'{"hostname": null}', sequence=True)
                c.stop()
                """.formatted(zkPort);
        Ended written = Installation.run(Map.of(), "/usr/bin/python3", "-c", write);
        assertEquals(0, written.code(), written.output());
        for (String problem : new String[] {
            "has no data",
            "is not JSON",
            "has an id that is not",
            "has no list in node_types",
            "unknown state strange",
            "has no hostname"
        }) {
            quickstart.await(line -> line.contains(problem));
        }
        assertEquals(0, nodepool("request", "small", "--wait").code());
        long named = quickstart
                .all()
                .lines()
                .filter(line -> line.contains("has no data"))
                .count();
        assertEquals(1, named, quickstart.all());
    }

    @Test
    void it_stops_in_order_when_asked_to() throws Exception {
        assertEquals(0, quickstart.stop(), quickstart.all());
    }

    private Ended nodepool(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = tool;
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return Installation.run(environment, command);
    }
}
