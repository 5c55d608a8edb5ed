package nodepool.driver.statemachine;

import nodepool.api.driver.ProviderContext;
import nodepool.api.event.EventListener;
import nodepool.testkit.LentContext;
import nodepool.testkit.ManualClock;
import nodepool.testkit.ManualExecutor;
import nodepool.testkit.MemorySnapshots;

/** What this module's tests lend to a provider. */
final class Contexts {

    private Contexts() {}

    static ProviderContext of(MemorySnapshots records, EventListener events) {
        ManualClock clock = new ManualClock();
        return LentContext.of(records, clock, new ManualExecutor(clock), events);
    }
}
