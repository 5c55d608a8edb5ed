package nodepool.driver.metastatic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.Problem;
import nodepool.api.driver.Driver;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.driver.metastatic.MetastaticLabel.Backing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the driver reads from a file, with the real reader. */
class MetastaticConfigTest {

    private static final Path EXAMPLES = Path.of("src/test/resources/examples");

    @TempDir
    private Path folder;

    @Test
    void the_good_example_is_read_completely() {
        ConfigurationReader.Result result = read(EXAMPLES.resolve("06-metastatic.yaml"));

        Backing backing =
                new Backing("huge", 8, Duration.ofMinutes(5), Duration.ofHours(1), Optional.of(Duration.ofDays(1)));
        assertEquals(List.of(), errors(result));
        assertEquals(
                new MetastaticConfig(
                        "slicer",
                        -1,
                        2,
                        Duration.ofMinutes(15),
                        Duration.ofSeconds(45),
                        List.of(new MetastaticPool(
                                "slices",
                                OptionalInt.of(48),
                                60,
                                new JsonObject(Map.of("sliced", JsonValue.of("yes"))),
                                List.of(
                                        new MetastaticLabel("slot", backing, false),
                                        new MetastaticLabel("slot-checked", backing, true))))),
                config(result, "slicer"));
    }

    @Test
    void every_mistake_of_the_bad_example_is_reported_in_one_run() {
        List<String> errors = errors(read(EXAMPLES.resolve("27-bad-metastatic.yaml")));

        for (String expected : List.of(
                "Multiple label definitions for the same backing label: thin and thinner of big differ in"
                        + " max-parallel-jobs (4, 6)",
                "label loop backs itself",
                "max-age 60 is less than min-retention-time 600",
                "required key backing-label is missing",
                "the name thin is already used",
                "required key pools is missing")) {
            assertEquals(
                    1,
                    errors.stream().filter(error -> error.contains(expected)).count(),
                    () -> expected + " in " + errors);
        }
        assertEquals(6, errors.size(), errors::toString);
    }

    @Test
    void a_label_has_defaults_for_all_but_its_name_and_backing_label() throws IOException {
        MetastaticConfig config = (MetastaticConfig) config(read(file("- {name: a, backing-label: big}")), "slicer");

        assertEquals(Duration.ofMinutes(2), config.bootTimeout());
        assertEquals(3, config.launchRetries());
        assertEquals(
                new MetastaticLabel(
                        "a", new Backing("big", 1, Duration.ofMinutes(1), Duration.ZERO, Optional.empty()), false),
                config.pools().get(0).labels().get(0));
    }

    @Test
    void a_circle_through_another_label_is_an_error_at_both() throws IOException {
        List<String> errors = errors(read(file("- {name: a, backing-label: b}", "- {name: b, backing-label: a}")));

        assertTrue(errors.contains("label a backs itself through b"), errors::toString);
        assertTrue(errors.contains("label b backs itself through a"), errors::toString);
    }

    @Test
    void a_circle_through_another_provider_is_an_error_at_both() throws IOException {
        Path file = file("- {name: a, backing-label: b}");
        Files.writeString(file, Files.readString(file) + """
                  - name: grater
                    driver: metastatic
                    pools:
                      - name: main
                        labels:
                          - {name: b, backing-label: a}
                """);

        ConfigurationReader.Result result = read(file);

        assertEquals(List.of("label a backs itself through b", "label b backs itself through a"), errors(result));
        assertTrue(result.configuration().isEmpty());
    }

    @Test
    void two_providers_that_share_their_backing_label_make_no_circle() throws IOException {
        Path file = file("- {name: a, backing-label: big}");
        Files.writeString(file, Files.readString(file) + """
                  - name: grater
                    driver: metastatic
                    pools:
                      - name: main
                        labels:
                          - {name: b, backing-label: big}
                """);

        assertEquals(List.of(), errors(read(file)));
    }

    @Test
    void a_label_that_is_not_in_the_main_list_is_an_error() throws IOException {
        assertEquals(
                List.of("label nobody in provider slicer not in top-level labels"),
                errors(read(file("- {name: nobody, backing-label: big}"))));
    }

    @Test
    void the_same_file_read_twice_gives_equal_configurations() throws IOException {
        assertEquals(
                config(read(file("- {name: a, backing-label: big, max-age: 5}")), "slicer"),
                config(read(file("- {name: a, backing-label: big, max-age: 5}")), "slicer"));
    }

    private Path file(String... labels) throws IOException {
        StringBuilder text = new StringBuilder("""
                zookeeper-servers: [{host: keeper.lab.example}]
                labels: [{name: a}, {name: b}]
                providers:
                  - name: slicer
                    driver: metastatic
                    pools:
                      - name: main
                        labels:
                """);
        for (String label : labels) {
            text.append("          ").append(label).append('\n');
        }
        Path file = folder.resolve("nodepool.yaml");
        Files.writeString(file, text);
        return file;
    }

    private static Object config(ConfigurationReader.Result result, String provider) {
        return result.configuration()
                .flatMap(configuration -> configuration.provider(provider))
                .flatMap(entry -> entry.config())
                .orElseThrow(() -> new AssertionError(result.problems().toString()));
    }

    private static List<String> errors(ConfigurationReader.Result result) {
        List<String> errors = new ArrayList<>();
        for (Problem problem : result.problems()) {
            if (problem.severity() == Problem.Severity.ERROR) {
                errors.add(problem.message());
            }
        }
        return errors;
    }

    private static ConfigurationReader.Result read(Path file) {
        Driver driver = ServiceLoader.load(Driver.class).findFirst().orElseThrow();
        return ServiceLoader.load(ConfigurationReader.class)
                .findFirst()
                .orElseThrow()
                .read(file, Optional.empty(), Map.of(), List.of(driver));
    }
}
