package nodepool.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedFileAppenderTest {

    @TempDir
    Path folder;

    private final LoggerContext context = new LoggerContext();
    private final WatchedFileAppender appender = new WatchedFileAppender();
    private Path file;
    private long now = 1_000_000;

    @BeforeEach
    void start() {
        file = folder.resolve("nodepool.log");
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%msg%n");
        encoder.start();
        appender.setContext(context);
        appender.setName("file");
        appender.setFile(file.toString());
        appender.setEncoder(encoder);
        appender.start();
    }

    @AfterEach
    void stop() {
        appender.stop();
    }

    @Test
    void a_file_that_was_moved_away_is_made_anew() throws Exception {
        log("one");
        Files.move(file, folder.resolve("nodepool.log.1"));
        log("two");

        assertEquals("one\n", Files.readString(folder.resolve("nodepool.log.1")));
        assertEquals("two\n", Files.readString(file));
    }

    @Test
    void a_file_that_was_put_in_its_place_is_used() throws Exception {
        log("one");
        Files.move(file, folder.resolve("nodepool.log.1"));
        Files.createFile(file);
        log("two");

        assertEquals("two\n", Files.readString(file));
    }

    @Test
    void a_file_that_stays_is_appended_to() throws IOException {
        log("one");
        log("two");

        assertEquals("one\ntwo\n", Files.readString(file));
    }

    private void log(String text) {
        Logger logger = context.getLogger("test");
        LoggingEvent event = new LoggingEvent("", logger, Level.INFO, text, null, new Object[0]);
        event.setMDCPropertyMap(Map.of());
        now += 2000;
        event.setTimeStamp(now);
        appender.doAppend(event);
    }
}
