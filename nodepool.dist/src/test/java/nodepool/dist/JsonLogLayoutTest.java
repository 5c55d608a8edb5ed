package nodepool.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JsonLogLayoutTest {

    private final JsonLogLayout layout = new JsonLogLayout();
    private final Logger logger = new LoggerContext().getLogger("nodepool.NodePool");

    @Test
    void a_line_is_an_object_with_the_ids_as_fields() {
        assertEquals(
                "{\"timestamp\":\"1970-01-01T00:00:01Z\",\"level\":\"WARNING\",\"logger\":\"nodepool.NodePool\","
                        + "\"thread\":\"main\",\"message\":\"two \\\"lines\\\"\\n\\\\ \\u0007 \\ud83d\\ude00\","
                        + "\"event_id\":\"e1\",\"node\":\"0000000007\"}\n",
                line("two \"lines\"\n\\ \u0007 \ud83d\ude00", null, Map.of("node", "0000000007", "event_id", "e1")));
    }

    @Test
    void a_stack_stands_in_the_same_line() {
        String line = line("broken", new IllegalStateException("why"), Map.of());
        assertEquals(line.length() - 1, line.indexOf('\n'));
        assertTrue(line.contains("\"exception\":\"java.lang.IllegalStateException: why\\n\\tat "), line);
    }

    private String line(String message, Throwable thrown, Map<String, String> fields) {
        layout.setContext(logger.getLoggerContext());
        layout.start();
        LoggingEvent event = new LoggingEvent("test", logger, Level.WARN, message, thrown, null);
        event.setMDCPropertyMap(new TreeMap<>(fields));
        event.setThreadName("main");
        event.setInstant(java.time.Instant.ofEpochSecond(1));
        return layout.doLayout(event);
    }
}
