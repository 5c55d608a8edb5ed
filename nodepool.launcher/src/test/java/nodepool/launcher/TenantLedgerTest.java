package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.verdict.Reason;
import nodepool.testkit.MemorySnapshots;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TenantLedgerTest {

    private static final Map<String, QuotaInformation> LIMITS =
            Map.of("acme", QuotaInformation.limits(Map.of(QuotaInformation.INSTANCES, 3.0)));

    private final TenantLedger ledger = new TenantLedger();

    @BeforeEach
    void configure() {
        ledger.refresh(new MemorySnapshots().now(), LIMITS);
    }

    @Test
    void what_a_request_has_reserved_counts_once() {
        assertEquals(Optional.empty(), ledger.reserve("200-1", "acme", servers(2)));
        assertEquals(Optional.empty(), ledger.reserve("200-1", "acme", servers(2)));
        assertEquals(Optional.empty(), ledger.reserve("200-2", "acme", servers(1)));
        assertTrue(ledger.reserve("200-3", "acme", servers(1)).isPresent());
    }

    @Test
    void what_is_released_is_free_for_others() {
        ledger.reserve("200-1", "acme", servers(3));
        assertEquals(
                Optional.of(Reason.Code.TENANT_LIMIT),
                ledger.reserve("200-2", "acme", servers(1)).map(Reason::code));
        ledger.release("200-1");
        assertEquals(Optional.empty(), ledger.reserve("200-2", "acme", servers(1)));
    }

    @Test
    void what_is_above_the_limit_never_fits() {
        assertTrue(ledger.couldFit("acme", servers(3)));
        assertFalse(ledger.couldFit("acme", servers(4)));
        assertTrue(ledger.couldFit("umbrella", servers(4)));
    }

    private static QuotaInformation servers(int count) {
        return QuotaInformation.needs(0, count, 0);
    }
}
