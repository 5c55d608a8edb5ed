package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class LogIdsTest {

    private final LogIds ids = new LogIds(Map.of("event_id", "e1", "node_request", "100-0000000001"));

    @Test
    void the_ids_are_there_while_it_logs_and_gone_afterwards() {
        Map<String, String> seen = new TreeMap<>();
        ids.log(() -> seen.putAll(MDC.getCopyOfContextMap()));
        assertEquals("{event_id=e1, node_request=100-0000000001}", seen.toString());
        assertNull(MDC.get("event_id"));
    }

    @Test
    void they_are_gone_after_a_failure_too() {
        assertThrows(
                IllegalStateException.class,
                () -> ids.log(() -> {
                    throw new IllegalStateException();
                }));
        assertNull(MDC.get("node_request"));
    }
}
