package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import nodepool.testkit.Kazoo;
import nodepool.testkit.Running;

/** Records that nobody should write and somebody once will, and what the log says of each. */
final class BadRecords {

    /** What the log says, and the lines of Python that give cause. */
    private static final Map<String, String> WRITES = Map.ofEntries(
            Map.entry("has no data", "add('requests/200-', b'')"),
            Map.entry("is not JSON: Unrecognized token 'none'", "add('requests/200-', b'none')"),
            Map.entry("is not JSON: Unexpected end-of-input", "add('requests/200-', b'{\"a\": \"' + b'x' * 900000)"),
            Map.entry("is not JSON: Document nesting depth", "add('requests/200-', b'{\"a\": ' + b'[' * 900000)"),
            Map.entry("is not a JSON object", "add('requests/200-', b'[]')"),
            Map.entry("has an id that is not", "c.create('/nodepool/requests/nohyphen', b'{}')"),
            Map.entry(
                    "has no list in node_types",
                    "add('requests/200-', b'{\"state\": \"requested\", \"node_types\": null}')"),
            Map.entry(
                    "has something else than text in node_types",
                    "add('requests/200-', b'{\"state\": \"requested\", \"node_types\": [null]}')"),
            Map.entry(
                    "has no list in declined_by",
                    "add('requests/200-', b'{\"state\": \"requested\", \"declined_by\": null}')"),
            Map.entry("unknown state strange", "add('nodes/', b'{\"state\": \"strange\"}')"),
            Map.entry("is not JSON: Invalid UTF-8", "add('nodes/', b'{\"state\": \"\\xff\\xfe\"}')"),
            Map.entry("has no hostname", "add('components/pool/x', b'{\"hostname\": null}')"),
            Map.entry(
                    "has no list in supported_labels",
                    "add('components/pool/x', b'{\"hostname\": \"x\", \"supported_labels\": null}')"));

    private static final String ADD = """
            def add(path, data):
                c.create('/nodepool/' + path, data, sequence=True)
            """;

    private BadRecords() {}

    static void write(String connection) throws IOException, InterruptedException {
        Kazoo.lines(connection, ADD + String.join("\n", WRITES.values())).orFail();
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
