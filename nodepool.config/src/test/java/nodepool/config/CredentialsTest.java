package nodepool.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import nodepool.api.config.ConfigurationReader.Result;
import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Type;
import nodepool.api.config.Section;
import nodepool.api.driver.Driver;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is wrong with a file, no message says the credentials in it. */
class CredentialsTest {

    private static final String CANARY = "31337";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token: 31337",
                "token: [31337]",
                "token: {a: 31337}",
                "token: '31337",
                "token: \"31337",
                "token: *31337",
                "token: &31337",
                "token: !31337!x a",
                "token: @31337",
                "token: 31337: 31337",
                "token: \"\\q31337\"",
                "  token: 31337",
                "token:31337",
                "- token: 31337",
                "token: '31337'",
                "token: %(NODEPOOL_TOKEN)",
                "token: \"%(NODEPOOL_BROKEN)\"",
                "token: '31337'\n    nonsense: 1",
            })
    void no_mistake_in_a_providers_entry_says_its_credential(String line) throws Exception {
        Result result = read("""
                zookeeper-servers: [{host: h}]
                providers:
                  - name: east
                    driver: talkative
                    %s
                """.formatted(line));

        assertNothingSaid(result);
    }

    @Test
    void a_driver_that_quotes_its_credential_is_heard_without_it() throws Exception {
        Result result = read("""
                zookeeper-servers: [{host: h}]
                providers:
                  - name: east
                    driver: talkative
                    token: 'my-31337'
                """);

        assertEquals(
                List.of(
                        "the driver talkative failed to read this entry: java.lang.IllegalStateException: bad token a value"
                                + " that is not shown"),
                result.problems().stream().map(problem -> problem.message()).toList());
        assertNothingSaid(result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PASSWORD: 31337", "PASSWORD: [31337]", "PASSWORD: '31337"})
    void no_mistake_in_an_images_environment_says_its_values(String entry) throws Exception {
        assertNothingSaid(read("""
                zookeeper-servers: [{host: h}]
                diskimages:
                  - name: debian
                    env-vars:
                      %s
                """.formatted(entry)));
    }

    @Test
    void a_value_from_the_environment_is_shown_by_its_name() throws Exception {
        Result result = read("""
                zookeeper-servers: [{host: h, port: "%(NODEPOOL_TOKEN)"}]
                """);

        assertNothingSaid(result);
        assertFalse(result.problems().stream()
                .noneMatch(problem -> problem.message().contains("%(NODEPOOL_TOKEN)")));
    }

    @Test
    void a_sections_secrets_are_known_to_whoever_must_not_say_them() {
        YamlSection inner = section(Map.of(), Set.of("inner"));
        YamlSection outer = section(Map.of("below", List.of(inner)), Set.of("outer"));

        assertEquals(Set.of("inner", "outer"), outer.secrets());
    }

    private static YamlSection section(Map<String, List<YamlSection>> below, Set<String> secrets) {
        return new YamlSection(
                new nodepool.api.config.Location("nodepool.yaml", 1, 1), "", Map.of(), Map.of(), below, secrets);
    }

    private static void assertNothingSaid(Result result) {
        assertFalse(result.problems().isEmpty());
        String said = result.problems().toString();
        assertEquals(-1, said.indexOf(CANARY), said);
    }

    private Result read(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("nodepool.yaml"), text);
        return new YamlConfigurationReader()
                .read(
                        file,
                        Optional.empty(),
                        Map.of("NODEPOOL_TOKEN", "token-31337", "NODEPOOL_BROKEN", "token\": 31337"),
                        List.of(new Talkative()));
    }

    /** Throws what it should keep to itself. */
    private static final class Talkative implements Driver {

        @Override
        public String name() {
            return "talkative";
        }

        @Override
        public Schema getSchema() {
            return Schema.commonProvider().with(Key.required("token", Type.SECRET, "Credential"));
        }

        @Override
        public ProviderConfig getProviderConfig(Section provider, LoadContext load) {
            throw new IllegalStateException("bad token " + provider.require("token"));
        }

        @Override
        public Provider getProvider(ProviderConfig config, ProviderContext context) {
            throw new UnsupportedOperationException();
        }
    }
}
