package nodepool.driver.staticnode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.Problem;
import nodepool.api.driver.Driver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the driver reads from a file, with the real reader. */
class StaticConfigTest {

    private static final String HEAD = """
            zookeeper-servers: [{host: keeper.lab.example}]
            labels: [{name: desk}, {name: lap}]
            providers:
              - name: cellar
                driver: static
                pools:
                  - name: main
                    node-attributes: {room: b2}
                    nodes:
            """;

    @TempDir
    private Path folder;

    @Test
    void a_host_has_defaults_for_all_but_its_name_and_labels() throws IOException {
        assertEquals(
                Hosts.host("one", 1, "desk"),
                read("- {name: one, labels: desk}").pools().get(0).nodes().get(0));
    }

    @Test
    void every_option_is_read() throws IOException {
        StaticNode node =
                read("- {name: one, labels: [desk, lap], username: tester, timeout: 20, connection-port: 2022,"
                                + " host-key: [ssh-rsa A, ssh-ed25519 B], host-key-checking: false, max-parallel-jobs: 3,"
                                + " python-path: /opt/python3, shell-type: fish, connection-type: network_cli}")
                        .pools()
                        .get(0)
                        .nodes()
                        .get(0);

        assertEquals(
                new StaticNode(
                        "one",
                        List.of("desk", "lap"),
                        "tester",
                        Duration.ofSeconds(20),
                        false,
                        List.of("ssh-rsa A", "ssh-ed25519 B"),
                        "network_cli",
                        2022,
                        Optional.of("fish"),
                        "/opt/python3",
                        3),
                node);
    }

    @Test
    void the_port_follows_the_connection_type_and_its_old_name_is_still_read() throws IOException {
        List<StaticNode> nodes = read(
                        "- {name: one, labels: desk, connection-type: winrm}",
                        "- {name: two, labels: lap, ssh-port: 2022}")
                .pools()
                .get(0)
                .nodes();

        assertEquals(List.of(5986, 2022), nodes.stream().map(StaticNode::port).toList());
    }

    @Test
    void labels_in_one_text_are_split_with_a_warning() throws IOException {
        assertEquals(
                Set.of("desk", "lap"),
                read("- {name: one, labels: desk lap}").pools().get(0).labelNames());
        assertTrue(problems("- {name: one, labels: desk lap}").stream()
                .anyMatch(problem -> problem.severity() == Problem.Severity.WARNING
                        && problem.message().contains("desk lap")));
    }

    @Test
    void the_same_file_read_twice_gives_equal_configurations() throws IOException {
        assertEquals(read("- {name: one, labels: desk}"), read("- {name: one, labels: desk}"));
    }

    @Test
    void mistakes_are_errors_at_their_place() throws IOException {
        for (String wrong : List.of(
                "- {name: one}",
                "- {labels: desk}",
                "- {name: one, labels: attic}",
                "- {name: one, labels: desk, connection-port: 70000}",
                "- {name: one, labels: desk, max-parallel-jobs: 0}",
                "- {name: one, labels: desk, timeout: soon}")) {
            assertEquals(1, errors(wrong), wrong);
        }
        assertEquals(1, errors("- {name: one, labels: desk}", "- {name: one, labels: lap}"));
        assertEquals(0, errors("- {name: one, labels: desk}", "- {name: one, labels: lap, username: other}"));
    }

    @Test
    void an_unknown_option_is_reported() throws IOException {
        assertTrue(problems("- {name: one, labels: desk, cloud: none}").stream()
                .anyMatch(problem -> problem.severity() == Problem.Severity.UNKNOWN_KEY));
    }

    private StaticConfig read(String... nodes) throws IOException {
        ConfigurationReader.Result result = result(nodes);
        return (StaticConfig) result.configuration()
                .flatMap(configuration -> configuration.provider("cellar"))
                .flatMap(entry -> entry.config())
                .orElseThrow(() -> new AssertionError(result.problems().toString()));
    }

    private long errors(String... nodes) throws IOException {
        return problems(nodes).stream()
                .filter(problem -> problem.severity() == Problem.Severity.ERROR)
                .count();
    }

    private List<Problem> problems(String... nodes) throws IOException {
        return result(nodes).problems();
    }

    private ConfigurationReader.Result result(String... nodes) throws IOException {
        StringBuilder text = new StringBuilder(HEAD);
        for (String node : nodes) {
            text.append("          ").append(node).append('\n');
        }
        Path file = folder.resolve("nodepool.yaml");
        Files.writeString(file, text);
        Driver driver = ServiceLoader.load(Driver.class).findFirst().orElseThrow();
        return ServiceLoader.load(ConfigurationReader.class)
                .findFirst()
                .orElseThrow()
                .read(file, Optional.empty(), Map.of(), List.of(driver));
    }
}
