package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import nodepool.testkit.Ended;
import nodepool.testkit.Kazoo;
import nodepool.testkit.RealPart;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole system, started as a newcomer starts it. */
class QuickstartIT {

    @TempDir
    Path folder;

    private Quickstart quickstart;

    @BeforeEach
    void start() throws Exception {
        quickstart = Quickstart.start(folder, Map.of());
    }

    @AfterEach
    void end() {
        quickstart.close();
    }

    @Test
    void a_second_terminal_gets_a_node_and_gives_it_back() throws Exception {
        Ended got = quickstart.nodepool("request", "small", "--wait");
        assertEquals(0, got.code(), got.output());
        assertTrue(got.output().contains(" fulfilled"), got.output());
        String node = got.output().replaceAll("(?s).*Node (\\d{10}) .*", "$1");

        assertTrue(quickstart.nodepool("list").output().contains("| " + node + " | fake-cloud | small |"));
        assertEquals(0, quickstart.nodepool("delete", node).code());
        quickstart.process().await("Deleted node " + node);
    }

    @Test
    void a_static_slot_is_given_out_and_comes_back() throws Exception {
        Ended got = quickstart.nodepool("request", "metal", "metal", "--wait");
        assertTrue(got.output().contains(" fulfilled"), got.output());
    }

    @Test
    void a_request_for_an_unknown_label_fails_and_the_others_are_served() throws Exception {
        Ended got = quickstart.nodepool("request", "no-such-label", "--wait");
        assertEquals(1, got.code());
        assertTrue(got.output().contains(" failed"), got.output());
        assertEquals(0, quickstart.nodepool("request", "small", "--wait").code());
    }

    @Test
    void a_requestor_written_with_kazoo_does_what_zuul_does() throws Exception {
        RealPart.KAZOO.require();
        String connection = Kazoo.plain("127.0.0.1:" + quickstart.zkPort());
        String done = Kazoo.run(QuickstartIT.class, "/zuul.py", connection, "small", "small")
                .orFail();
        assertTrue(done.endsWith("used\ngone\n"), done);
    }

    @Test
    void bad_records_are_named_once_and_stop_nobody() throws Exception {
        RealPart.KAZOO.require();
        BadRecords.write(Kazoo.plain("127.0.0.1:" + quickstart.zkPort()));
        BadRecords.awaitAllNamed(quickstart.process());

        assertEquals(0, quickstart.nodepool("request", "small", "--wait").code());
        BadRecords.assertEachNamedOnce(quickstart.process());
    }

    @Test
    void the_web_interface_tells_what_the_tool_tells() throws Exception {
        quickstart.process().await("quickstart started: ");
        assertEquals("OK", quickstart.get("/ready").body());
        String tool = quickstart.nodepool("list").output().strip();
        String keys = "id,provider,label,server_id,public_ipv4,ipv6,state,locked";
        assertEquals(
                withoutAge(tool), quickstart.get("/node-list?fields=" + keys).body());
        assertEquals(
                "gzip",
                quickstart
                        .get("/node-list", "Accept-Encoding", "gzip")
                        .headers()
                        .firstValue("Content-Encoding")
                        .orElse(""));
        assertTrue(quickstart.get("/api/v1/providers").body().contains("\"name\":\"fake-cloud\",\"driver\":\"fake\""));
        assertTrue(quickstart.get("/").body().contains("<title>Nodepool</title>"));
        assertEquals(404, quickstart.get("/nonsense").statusCode());
        assertTrue(quickstart.get("/metrics").body().contains("nodepool"));
    }

    /** The table without its eighth column. */
    private static String withoutAge(String table) {
        int start = 0;
        int end = 0;
        String rule = table.lines().findFirst().orElseThrow();
        for (int column = 0; column < 8; column++) {
            start = end;
            end = rule.indexOf('+', start + 1);
        }
        int from = start;
        int to = end;
        return table.lines()
                .map(line -> line.substring(0, from) + line.substring(to))
                .collect(java.util.stream.Collectors.joining("\n"));
    }

    @Test
    void it_stops_in_order_when_asked_to() throws Exception {
        Ended ended = quickstart.process().stop();
        assertEquals(0, ended.code(), ended.output());
    }
}
