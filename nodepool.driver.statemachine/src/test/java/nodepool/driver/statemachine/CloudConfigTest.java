package nodepool.driver.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.config.Section;
import nodepool.api.quota.QuotaInformation;
import org.junit.jupiter.api.Test;

class CloudConfigTest {

    private final TestLoad load = new TestLoad();

    @Test
    void an_entry_is_read_with_what_belongs_to_its_author() {
        CloudConfig config = CloudConfig.read("tiny", provider("linux"), load);
        assertEquals(List.of(), load.errors());
        assertEquals("east", config.name());
        assertEquals(Optional.of("eu-1"), config.section().text("region"));
        assertEquals(Duration.ofSeconds(90), config.bootTimeout());
        CloudPool pool = config.pools().get(0);
        assertEquals(OptionalInt.of(5), pool.maxServers());
        assertEquals(5, pool.limits().of(QuotaInformation.INSTANCES));
        assertEquals(List.of("a", "b"), pool.zones());
        assertEquals(Set.of("small"), pool.labelNames());
        CloudLabel label = pool.labels().get(0);
        assertEquals(Optional.of("img-7"), label.image().orElseThrow().text("image-id"));
        assertEquals(Optional.of("debian"), label.connection().username());
        assertFalse(label.hostKeyChecking());
    }

    @Test
    void winrm_has_its_own_port() {
        Section image = TextSection.of("name", "linux", "connection-type", "winrm");
        Section label = TextSection.of("name", "small", "cloud-image", "linux");
        Section pool = TextSection.of("name", "main").with("labels", label);
        CloudConfig config = CloudConfig.read(
                "tiny",
                TextSection.of("name", "east").with("cloud-images", image).with("pools", pool),
                load);
        assertEquals(
                OptionalInt.of(5986),
                config.pools().get(0).labels().get(0).connection().portNumber());
    }

    @Test
    void what_the_schema_cannot_see_is_reported() {
        CloudConfig.read("tiny", provider("windows"), load);
        assertEquals(List.of("cloud-image: cloud-image windows is not in cloud-images"), load.errors());
        load.errors().clear();
        Section label = TextSection.of("name", "unheard-of");
        CloudConfig.read(
                "tiny",
                TextSection.of("name", "east")
                        .with("pools", TextSection.of("name", "main").with("labels", label)),
                load);
        assertEquals(List.of("name: label unheard-of in provider east not in top-level labels"), load.errors());
    }

    @Test
    void entries_with_the_same_values_are_equal() {
        assertEquals(
                CloudConfig.read("tiny", provider("linux"), load), CloudConfig.read("tiny", provider("linux"), load));
        assertNotEquals(
                CloudConfig.read("tiny", provider("linux"), load), CloudConfig.read("tiny", provider("windows"), load));
    }

    private static Section provider(String image) {
        Section label = TextSection.of("name", "small", "cloud-image", image, "host-key-checking", "false");
        return TextSection.of("name", "east", "region", "eu-1", "boot-timeout", "90")
                .with("cloud-images", TextSection.of("name", "linux", "image-id", "img-7", "username", "debian"))
                .with(
                        "pools",
                        TextSection.of("name", "main", "max-servers", "5", "azs", "a,b")
                                .with("labels", label));
    }
}
