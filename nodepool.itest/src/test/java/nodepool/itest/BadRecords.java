package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import nodepool.testkit.Kazoo;
import nodepool.testkit.Running;

/** Records that nobody should write and somebody once will, and what the log says of each. */
final class BadRecords {

    private static final Map<String, String> WRITES = Map.of(
            "has no data", "c.create('/nodepool/requests/200-', b'', sequence=True)",
            "is not JSON", "c.create('/nodepool/requests/200-', b'no json', sequence=True)",
            "has an id that is not", "c.create('/nodepool/requests/nohyphen', b'{}')",
            "has no list in node_types",
                    "c.create('/nodepool/requests/200-', b'{\"state\": \"requested\", \"node_types\": null}', sequence=True)",
            "unknown state strange", "c.create('/nodepool/nodes/', b'{\"state\": \"strange\"}', sequence=True)",
            "has no hostname", "c.create('/nodepool/components/pool/x', b'{\"hostname\": null}', sequence=True)");

    private BadRecords() {}

    static void write(String connection) throws IOException, InterruptedException {
        Kazoo.lines(connection, String.join("\n", WRITES.values())).orFail();
    }

    static void awaitAllNamed(Running process) throws InterruptedException {
        for (String problem : WRITES.keySet()) {
            process.await(problem);
        }
    }

    static void assertEachNamedOnce(Running process) {
        assertEquals(
                WRITES.keySet().stream().collect(Collectors.toMap(problem -> problem, problem -> 1L)),
                WRITES.keySet().stream().collect(Collectors.toMap(problem -> problem, process::count)),
                process::all);
    }
}
