package nodepool.builder.decision;

import static nodepool.builder.decision.Records.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetriesTest {

    private final Retries<String> retries = new Retries<>(List.of(Duration.ofSeconds(10), Duration.ofMinutes(1)));

    @Test
    void waits_grow_to_the_last_one() {
        assertEquals(Duration.ofSeconds(10), retries.failed("debian", 1, NOW));
        assertEquals(Duration.ofMinutes(1), retries.failed("debian", 1, NOW));
        assertEquals(Duration.ofMinutes(1), retries.failed("debian", 1, NOW));
        assertEquals(Optional.of(NOW.plusSeconds(60)), retries.notBefore("debian", 1, NOW));
        assertEquals(Optional.empty(), retries.notBefore("debian", 1, NOW.plusSeconds(60)));
        assertEquals(Optional.empty(), retries.notBefore("fedora", 1, NOW));
    }

    @Test
    void other_circumstances_and_success_end_the_wait() {
        retries.failed("debian", 1, NOW);
        assertEquals(Optional.empty(), retries.notBefore("debian", 2, NOW));
        assertEquals(Duration.ofSeconds(10), retries.failed("debian", 2, NOW));
        retries.forget("debian");
        assertEquals(Optional.empty(), retries.notBefore("debian", 2, NOW));
        assertEquals(Duration.ofSeconds(10), retries.failed("debian", 2, NOW));
    }
}
