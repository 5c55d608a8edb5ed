package nodepool.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogLayoutTest {

    private static final String TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3}";

    private final LogLayout layout = new LogLayout();
    private final Logger logger = new LoggerContext().getLogger("nodepool.NodePool");

    @BeforeEach
    void start() {
        layout.setContext(logger.getLoggerContext());
        layout.start();
    }

    @Test
    void a_line_has_time_level_logger_and_message() {
        assertLine("INFO nodepool.NodePool: text", line(event(Level.INFO, "text", null, Map.of())));
    }

    @Test
    void a_warning_is_spelled_as_operators_filter_for_it() {
        assertLine("WARNING nodepool.NodePool: text", line(event(Level.WARN, "text", null, Map.of())));
    }

    @Test
    void the_ids_of_what_it_is_about_stand_before_the_message() {
        assertLine(
                "INFO nodepool.NodePool: [e: abc] [node_request: 100-1] [node: 7] text",
                line(event(
                        Level.INFO,
                        "text",
                        null,
                        Map.of("node", "7", "event_id", "abc", "node_request", "100-1", "provider", "p"))));
    }

    @Test
    void every_line_of_a_message_and_of_its_trace_can_be_found_by_time_and_logger() {
        List<String> lines = layout.doLayout(
                        event(Level.ERROR, "first\nsecond", new IllegalStateException("why"), Map.of()))
                .lines()
                .toList();

        assertLine("ERROR nodepool.NodePool: first", lines.get(0));
        assertLine("ERROR nodepool.NodePool:   second", lines.get(1));
        assertLine("ERROR nodepool.NodePool:   java.lang.IllegalStateException: why", lines.get(2));
        assertTrue(lines.size() > 3);
        assertTrue(lines.stream().allMatch(line -> line.matches(TIME + " ERROR nodepool\\.NodePool: .*")));
    }

    private static void assertLine(String expected, String line) {
        assertTrue(line.matches(TIME + " .*"), line);
        assertEquals(expected, line.substring("yyyy-MM-dd HH:mm:ss,SSS ".length()));
    }

    private String line(LoggingEvent event) {
        return layout.doLayout(event).stripTrailing();
    }

    private LoggingEvent event(Level level, String text, Throwable cause, Map<String, String> mdc) {
        LoggingEvent event = new LoggingEvent("", logger, level, text, cause, new Object[0]);
        event.setMDCPropertyMap(mdc);
        return event;
    }
}
