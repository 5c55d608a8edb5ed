package nodepool.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import nodepool.api.config.Configuration;
import nodepool.api.store.SnapshotSource.Subscription;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Which configuration is in force, and what an operator hears of it. */
class FileConfigurationSourceTest {

    private static final String GOOD = "zookeeper-servers: [{host: zk1}]\n";
    private static final String BROKEN = GOOD + "max-hold-age: tomorrow\n";
    private static final String OTHER_DRIVER = GOOD + "providers: [{name: far, driver: faraway}]\n";

    @TempDir
    Path folder;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Path file;
    private FileConfigurationSource source;

    @BeforeEach
    void start() {
        log.start();
        logger().setLevel(Level.INFO);
        logger().addAppender(log);
        file = folder.resolve("nodepool.yaml");
        source = new FileConfigurationSource(new YamlConfigurationReader(), file, Optional.empty(), Map.of());
    }

    @AfterEach
    void stop() {
        logger().detachAppender(log);
        logger().setLevel(null);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("nodepool.Config");
    }

    private boolean read(String text) throws IOException {
        Files.writeString(file, text);
        return source.read();
    }

    /** What was said since it was asked last. */
    private List<String> said() {
        List<String> lines = log.list.stream()
                .map(event ->
                        event.getLevel() + " " + event.getFormattedMessage().replace(folder + "/", ""))
                .toList();
        log.list.clear();
        return lines;
    }

    @Test
    void a_broken_file_is_said_once_and_changes_nothing() throws Exception {
        assertTrue(read(GOOD));
        assertTrue(source.started());
        Optional<Configuration> before = source.current();
        assertEquals(List.of("INFO Configuration nodepool.yaml is in force"), said());

        assertFalse(read(BROKEN));
        assertEquals(before, source.current());
        assertEquals(
                List.of(
                        "ERROR nodepool.yaml:2:15: max-hold-age: expected a whole number, found \"tomorrow\"",
                        "ERROR nodepool.yaml cannot be used; the running configuration stays"),
                said());
        assertFalse(source.read());
        assertEquals(List.of(), said());
        assertEquals(1, source.problems().size());
        assertTrue(read(GOOD));
        assertEquals(List.of("INFO Configuration nodepool.yaml is as it was, and stays in force"), said());

        assertTrue(read(GOOD + "max-hold-age: 60\n"));
        assertEquals(List.of("INFO Configuration nodepool.yaml is in force"), said());
        assertEquals(List.of(), source.problems());
    }

    @Test
    void a_file_that_is_not_there_is_waited_for() throws Exception {
        assertFalse(source.read());
        assertEquals(Optional.empty(), source.current());
        assertEquals("ERROR nodepool.yaml cannot be used; there is no other to work with", said().get(1));
        assertTrue(read(GOOD));
    }

    @Test
    void a_driver_is_missing_only_when_all_bundles_are_up() throws Exception {
        assertTrue(read(OTHER_DRIVER));
        assertEquals(List.of("INFO Configuration nodepool.yaml is in force"), said());
        assertTrue(source.started());
        assertEquals(
                List.of("WARN nodepool.yaml:2:33: providers[far]: faraway: unknown driver; none is installed"), said());
    }

    @Test
    void a_warning_that_lasts_is_said_once() throws Exception {
        source.started();
        read(OTHER_DRIVER);
        said();
        assertFalse(read(OTHER_DRIVER + "max-hold-age: tomorrow\n"));
        assertEquals(2, said().size());
        assertTrue(read(OTHER_DRIVER));
        assertEquals(1, said().size());
    }

    @Test
    void everybody_is_woken_by_every_reading() throws Exception {
        AtomicInteger wakes = new AtomicInteger();
        Subscription waking = source.onChange(wakes::incrementAndGet);
        read(GOOD);
        read(BROKEN);
        waking.close();
        read(GOOD);
        assertEquals(2, wakes.get());
    }
}
