package nodepool.testkit;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.driver.ProviderContext;
import nodepool.api.event.EventListener;
import nodepool.api.store.NodeStore;
import nodepool.api.store.RequestStore;
import nodepool.api.store.SnapshotSource;

/**
 * What a launcher lends to a provider, for a provider that makes machines and leaves the records to the launcher: its stores
 * refuse, every scan finds a machine at once and no keys.
 */
public final class LentContext {

    private LentContext() {}

    public static ProviderContext of(
            SnapshotSource snapshots, Clock clock, ScheduledExecutorService executor, EventListener events) {
        HostKeyScanner scanner = target -> CompletableFuture.completedStage(List.of());
        return new ProviderContext(
                snapshots,
                refusing(NodeStore.class),
                refusing(RequestStore.class),
                scanner,
                clock,
                executor,
                () -> {},
                events);
    }

    private static <T> T refusing(Class<T> store) {
        return store.cast(
                Proxy.newProxyInstance(store.getClassLoader(), new Class<?>[] {store}, (proxy, method, given) -> {
                    throw new UnsupportedOperationException(
                            "a provider leaves the records to its launcher: " + method.getName());
                }));
    }
}
