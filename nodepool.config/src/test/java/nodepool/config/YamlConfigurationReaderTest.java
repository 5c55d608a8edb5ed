package nodepool.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader.Result;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlConfigurationReaderTest {

    private static final String ZOOKEEPER =
            "zookeeper-servers: [{host: zk1, chroot: /np}, {host: '::1', port: 2999}]\n";

    @TempDir
    Path folder;

    @Test
    void servers_share_one_chroot_and_get_the_plain_port() throws Exception {
        Configuration config = good(ZOOKEEPER);
        assertEquals("zk1:2181,[::1]:2999/np", config.zookeeper().orElseThrow().connectString());
        assertEquals(Duration.ofSeconds(10), config.zookeeper().orElseThrow().timeout());
    }

    @Test
    void servers_with_different_chroots_are_refused() throws Exception {
        assertProblem(read("zookeeper-servers: [{host: a, chroot: /x}, {host: b, chroot: /y}]\n"), "different chroots");
    }

    @Test
    void every_mistake_is_reported_in_one_run_with_its_place() throws Exception {
        Result result = read(
                ZOOKEEPER + "labels:\n  - name: small\n    min-ready: '2'\n    min-redy: 1\n  - max-ready-age: 1\n");
        assertTrue(result.configuration().isEmpty());
        List<String> found = result.problems().stream()
                .filter(problem -> problem.severity() != Problem.Severity.WARNING)
                .map(problem -> problem.at().line() + " " + problem.path() + " " + problem.message())
                .toList();
        assertEquals(3, found.size(), found.toString());
        assertEquals("4 labels[small].min-ready expected a whole number, found \"2\"; remove the quotes", found.get(0));
        assertEquals("5 labels[small] unknown key min-redy; did you mean min-ready?", found.get(1));
        assertEquals("6 labels[#2] required key name is missing", found.get(2));
    }

    @Test
    void an_unknown_key_alone_does_not_stop_a_daemon() throws Exception {
        Result result = read(ZOOKEEPER + "lables: []\n");
        assertTrue(result.configuration().isPresent());
        assertEquals(Problem.Severity.UNKNOWN_KEY, result.problems().get(0).severity());
    }

    @Test
    void a_file_that_is_no_yaml_says_where() throws Exception {
        Result result = read(ZOOKEEPER + "labels: [\n");
        assertFalse(result.configuration().isPresent());
        assertTrue(result.problems().get(0).at().line() >= 2, result.problems().toString());
    }

    @Test
    void variables_are_substituted_and_missing_ones_named() throws Exception {
        Path file = file(
                "nodepool.yaml",
                "zookeeper-servers: [{host: '%(NODEPOOL_HOST)', port: %(NODEPOOL_PORT)}]\nelements-dir: '%(NODEPOOL_NOT)' # %(NODEPOOL_COMMENT)\n");
        Result result = new YamlConfigurationReader()
                .read(file, Optional.empty(), Map.of("NODEPOOL_HOST", "zk", "NODEPOOL_PORT", "1234"), List.of());
        assertEquals(
                "zk:1234",
                result.configuration().orElseThrow().zookeeper().orElseThrow().connectString());
        assertProblem(result, "NODEPOOL_NOT is not set");
        assertEquals(1, result.problems().size(), "comments do not count");
    }

    @Test
    void images_inherit_and_a_child_may_undo_its_parents_pause() throws Exception {
        Configuration config = good(ZOOKEEPER + """
                        diskimages:
                          - name: base
                            abstract: true
                            pause: true
                            elements: [vm]
                            env-vars: {A: one, B: two}
                          - name: noble
                            parent: base
                            pause: no
                            elements: [ubuntu]
                            env-vars: {B: three}
                        """);
        assertEquals(List.of("noble"), List.copyOf(config.diskImages().keySet()));
        DiskImage noble = config.diskImages().values().iterator().next();
        assertEquals(List.of("vm", "ubuntu"), noble.elements());
        assertEquals(Map.of("A", "one", "B", "three"), noble.environment());
        assertFalse(noble.paused());
    }

    @Test
    void a_circle_of_parents_is_an_error() throws Exception {
        assertProblem(
                read(ZOOKEEPER + "diskimages: [{name: a, parent: b}, {name: b, parent: a}]\n"),
                "form a circle: a -> b -> a");
    }

    @Test
    void secrets_reach_the_image_and_never_a_message() throws Exception {
        Path main = file("nodepool.yaml", ZOOKEEPER + "diskimages: [{name: a}]\n");
        Path secure = file("secure.yaml", "diskimages: [{name: a, env-vars: {TOKEN: hush}}, {name: b}]\n");
        Result result = new YamlConfigurationReader().read(main, Optional.of(secure), Map.of(), List.of());
        assertProblem(result, "unknown diskimage b");
        assertFalse(result.problems().toString().contains("hush"));
    }

    @Test
    void a_key_given_twice_is_said_with_both_places_and_the_last_one_counts() throws Exception {
        Result result = read(ZOOKEEPER + "max-hold-age: 1\nmax-hold-age: 2\n");
        assertEquals(Duration.ofSeconds(2), result.configuration().orElseThrow().maxHoldAge());
        assertEquals(3, result.problems().get(0).at().line());
        assertEquals(Problem.Severity.UNKNOWN_KEY, result.problems().get(0).severity());
        assertProblem(result, "max-hold-age is given twice, first at " + folder.resolve("nodepool.yaml") + ":2:1");
    }

    @Test
    void an_alias_inside_of_itself_is_an_error_and_no_endless_work() throws Exception {
        assertProblem(read(ZOOKEEPER + "labels: &all\n  - name: a\n    more: *all\n"), "stands inside");
    }

    @Test
    void tags_that_are_not_plain_data_are_errors() throws Exception {
        assertProblem(read(ZOOKEEPER + "elements-dir: !special x\n"), "is not plain data");
    }

    @Test
    void numbers_are_read_as_yaml_1_1_does_and_infinities_are_none() throws Exception {
        assertEquals(
                Duration.ofSeconds(90), good(ZOOKEEPER + "max-hold-age: 1:30\n").maxHoldAge());
        assertEquals(
                Duration.ofSeconds(8), good(ZOOKEEPER + "max-hold-age: 010\n").maxHoldAge());
        assertProblem(read(ZOOKEEPER + "max-hold-age: .inf\n"), "expected a whole number, found .inf");
        assertProblem(read(ZOOKEEPER + "max-hold-age: 99999999999\n"), "99999999999 is out of range");
    }

    @Test
    void a_date_where_text_is_wanted_needs_quotes() throws Exception {
        assertProblem(
                read(ZOOKEEPER + "labels: [{name: 2024-01-31}]\n"), "expected text, found 2024-01-31; add quotes");
    }

    @Test
    void keys_of_old_times_are_explained() throws Exception {
        assertProblem(read(ZOOKEEPER + "gearman-servers: []\n"), "not used since Nodepool 3");
        assertProblem(read(ZOOKEEPER + "labels: [{name: a, image: b}]\n"), "named by the labels of pools");
    }

    @Test
    void a_key_without_a_value_counts_as_left_out() throws Exception {
        Result result = read(ZOOKEEPER + "labels:\nproviders:\n");
        assertTrue(result.configuration().isPresent());
        assertProblem(result, "labels has no value and counts as left out");
    }

    @Test
    void a_provider_that_is_no_mapping_is_an_error() throws Exception {
        assertProblem(read(ZOOKEEPER + "providers: [east]\n"), "expected a mapping, found \"east\"");
    }

    @Test
    void a_limit_of_an_unknown_kind_is_kept_and_questioned() throws Exception {
        Result result = read(ZOOKEEPER + "tenant-resource-limits: [{tenant-name: t, max-server: 3}]\n");
        assertEquals(
                3, result.configuration().orElseThrow().tenantLimits().get("t").of("max-server"));
        assertProblem(result, "max-server limits a resource of exactly that name");
    }

    @Test
    void a_file_without_servers_is_only_questioned_while_a_secure_file_may_have_them() throws Exception {
        Result alone = read("labels: []\n");
        assertTrue(alone.configuration().isPresent());
        assertProblem(alone, "No ZooKeeper servers");
        Path secure = file("secure.yaml", "");
        Result both = new YamlConfigurationReader()
                .read(folder.resolve("nodepool.yaml"), Optional.of(secure), Map.of(), List.of());
        assertTrue(both.configuration().isEmpty());
    }

    @Test
    void mistakes_in_the_secure_file_are_said_without_its_values() throws Exception {
        Path main = file("nodepool.yaml", ZOOKEEPER + "diskimages: [{name: a, abstract: yes}, {name: b, parent: a}]\n");
        Path secure = file("secure.yaml", """
                zookeeper-servers: [{host: h, port: hush1, chroot: hush2}, {host: h, chroot: /hush3}]
                webapp: {port: 1}
                diskimages: [{name: a, env-vars: {TOKEN: 31337, OTHER: fine}}]
                """);
        Result result = new YamlConfigurationReader().read(main, Optional.of(secure), Map.of(), List.of());
        assertProblem(result, "webapp is ignored in the secure file");
        assertProblem(result, "expected text, found a value that is not shown; add quotes");
        assertProblem(result, "expected a whole number, found a value that is not shown");
        assertFalse(
                result.problems().toString().contains("hush"), result.problems().toString());
        assertFalse(result.problems().toString().contains("31337"));
    }

    @Test
    void a_broken_line_of_the_secure_file_is_not_shown() throws Exception {
        Path main = file("nodepool.yaml", ZOOKEEPER);
        Path secure = file("secure.yaml", "diskimages:\n  - name: [hush\n");
        Result result = new YamlConfigurationReader().read(main, Optional.of(secure), Map.of(), List.of());
        assertTrue(result.configuration().isEmpty());
        assertFalse(result.problems().toString().contains("hush"));
    }

    @Test
    void secrets_of_an_abstract_entry_reach_its_children() throws Exception {
        Path main = file("nodepool.yaml", ZOOKEEPER + "diskimages: [{name: a, abstract: yes}, {name: b, parent: a}]\n");
        Path secure = file("secure.yaml", "diskimages: [{name: a, env-vars: {TOKEN: hush}}]\n");
        Result result = new YamlConfigurationReader().read(main, Optional.of(secure), Map.of(), List.of());
        DiskImage image = result.configuration()
                .orElseThrow()
                .diskImages()
                .values()
                .iterator()
                .next();
        assertEquals(Map.of("TOKEN", "hush"), image.environment());
    }

    @Test
    void a_provider_of_an_absent_driver_is_kept_unread() throws Exception {
        Result result = read(ZOOKEEPER + "providers: [{name: east, driver: aws, region-name: x, pools: []}]\n");
        assertTrue(result.configuration()
                .orElseThrow()
                .provider("east")
                .orElseThrow()
                .config()
                .isEmpty());
        assertProblem(result, "aws: unknown driver");
    }

    private static void assertProblem(Result result, String text) {
        assertTrue(
                result.problems().stream().anyMatch(problem -> problem.message().contains(text)),
                () -> "no \"" + text + "\" in " + result.problems());
    }

    private Configuration good(String text) throws IOException {
        Result result = read(text);
        return result.configuration()
                .orElseThrow(() -> new AssertionError(result.problems().toString()));
    }

    private Result read(String text) throws IOException {
        return new YamlConfigurationReader().read(file("nodepool.yaml", text), Optional.empty(), Map.of(), List.of());
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
