package nodepool.launcher;

import java.time.Clock;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.event.EventListener;
import nodepool.api.store.Stores;

/**
 * What the parts of one pool share.
 *
 * @param poolName its name within the provider
 * @param launcherId of this pool in this process
 * @param loop the one thread of everything about this pool
 * @param clock for times in records and logs
 * @param stores the shared state
 * @param scanner gathers host keys
 * @param slot the provider
 * @param tenants what tenants use, in all pools of this process
 * @param events who wants to hear of what happens
 */
record PoolMeans(
        String poolName,
        String launcherId,
        Loop loop,
        Clock clock,
        Stores stores,
        HostKeyScanner scanner,
        ProviderSlot slot,
        TenantLedger tenants,
        EventListener events) {

    /** Whether a node lies in this pool, of whichever launcher. */
    boolean isOurs(nodepool.api.node.Node node) {
        return node.isIn(slot.name(), poolName);
    }
}
