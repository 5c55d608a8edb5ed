package nodepool.driver.metastatic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import nodepool.driver.metastatic.MetastaticLabel.Backing;
import nodepool.driver.metastatic.Retention.Verdict;
import org.junit.jupiter.api.Test;

class RetentionTest {

    private static final Instant MADE = Instant.ofEpochSecond(1_726_600_000);
    private static final Backing PLAIN = new Backing("big", 2, Duration.ofMinutes(1), Duration.ZERO, Optional.empty());

    @Test
    void one_in_use_is_kept_until_something_changes() {
        assertEquals(
                new Verdict.Keep(Optional.empty()),
                Retention.judge(node(Map.of(0, "a"), Optional.empty()), Optional.of(PLAIN), MADE, at(9999)));
    }

    @Test
    void an_unused_one_is_released_after_the_grace_time_since_its_last_use() {
        BackingNode node = node(Map.of(), Optional.of(at(100)));

        assertEquals(
                new Verdict.Keep(Optional.of(at(160).plusMillis(1))),
                Retention.judge(node, Optional.of(PLAIN), MADE, at(160)));
        assertEquals(
                new Verdict.Release(Duration.ofSeconds(61)), Retention.judge(node, Optional.of(PLAIN), MADE, at(161)));
    }

    @Test
    void one_that_was_never_used_counts_from_when_it_was_made_or_found() {
        BackingNode node = node(Map.of(), Optional.empty());

        assertEquals(
                new Verdict.Release(Duration.ofSeconds(61)),
                Retention.judge(node, Optional.of(PLAIN), MADE.minusSeconds(500), at(61)));
        assertEquals(
                new Verdict.Keep(Optional.of(at(560).plusMillis(1))),
                Retention.judge(node, Optional.of(PLAIN), at(500), at(501)));
    }

    @Test
    void the_minimum_retention_holds_even_after_the_grace_time() {
        Backing least = new Backing("big", 2, Duration.ofMinutes(1), Duration.ofMinutes(5), Optional.empty());
        BackingNode node = node(Map.of(), Optional.of(at(10)));

        assertEquals(
                new Verdict.Keep(Optional.of(at(300).plusMillis(1))),
                Retention.judge(node, Optional.of(least), MADE, at(299)));
        assertEquals(
                new Verdict.Release(Duration.ofSeconds(291)), Retention.judge(node, Optional.of(least), MADE, at(301)));
    }

    @Test
    void one_that_is_too_old_is_retired_first_and_released_when_empty() {
        Backing aging = new Backing("big", 2, Duration.ofMinutes(1), Duration.ZERO, Optional.of(Duration.ofMinutes(5)));
        BackingNode busy = node(Map.of(0, "a"), Optional.empty());
        BackingNode retired = new BackingNode("1", busy.use().withFailed(), busy.occupied());

        assertEquals(
                new Verdict.Keep(Optional.of(at(300).plusMillis(1))),
                Retention.judge(busy, Optional.of(aging), MADE, at(300)));
        assertEquals(new Verdict.Retire(), Retention.judge(busy, Optional.of(aging), MADE, at(301)));
        assertEquals(new Verdict.Keep(Optional.empty()), Retention.judge(retired, Optional.of(aging), MADE, at(301)));
        assertEquals(
                new Verdict.Release(Duration.ofSeconds(301)),
                Retention.judge(
                        new BackingNode("1", busy.use().withFailed(), new TreeMap<>()),
                        Optional.of(aging),
                        MADE,
                        at(301)));
    }

    @Test
    void one_whose_label_is_gone_is_released_as_soon_as_it_is_empty() {
        assertEquals(
                new Verdict.Keep(Optional.empty()),
                Retention.judge(node(Map.of(0, "a"), Optional.empty()), Optional.empty(), MADE, at(5)));
        assertEquals(
                new Verdict.Release(Duration.ofSeconds(3)),
                Retention.judge(node(Map.of(), Optional.of(at(2))), Optional.empty(), MADE, at(5)));
    }

    private static Instant at(long seconds) {
        return MADE.plusSeconds(seconds);
    }

    private static BackingNode node(Map<Integer, String> taken, Optional<Instant> lastUsed) {
        BackingUse use = new BackingUse("owner", "small", 2, false, MADE, lastUsed, new TreeMap<>(taken));
        return new BackingNode("1", use, new TreeMap<>(taken));
    }
}
