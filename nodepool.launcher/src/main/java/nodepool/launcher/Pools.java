package nodepool.launcher;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import nodepool.api.config.Configuration;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.driver.PoolConfig;
import nodepool.api.event.EventListener;
import nodepool.api.store.Stores;

/** One {@link PoolWorker} per configured pool; those no longer configured finish what they have. Confined to the launcher's loop. */
final class Pools {

    private final Loop loop;
    private final Clock clock;
    private final Supplier<UUID> random;
    private final String hostname;
    private final Stores stores;
    private final HostKeyScanner scanner;
    private final EventListener events;
    private final TenantLedger tenants;
    private final PoolWorker.Surroundings surroundings;
    private final Map<String, PoolWorker> workers = new LinkedHashMap<>();

    Pools(
            Loop loop,
            Clock clock,
            Supplier<UUID> random,
            String hostname,
            Stores stores,
            HostKeyScanner scanner,
            EventListener events,
            TenantLedger tenants,
            PoolWorker.Surroundings surroundings) {
        this.loop = loop;
        this.clock = clock;
        this.random = random;
        this.hostname = hostname;
        this.stores = stores;
        this.scanner = scanner;
        this.events = events;
        this.tenants = tenants;
        this.surroundings = surroundings;
    }

    /** Starts and retires workers, until there is one for each configured pool of those providers. */
    void follow(Configuration config, Collection<ProviderSlot> slots) {
        Set<String> wanted = new HashSet<>();
        for (ProviderSlot slot : slots) {
            boolean configured = config.provider(slot.name()).isPresent();
            for (PoolConfig pool : configured ? slot.config().pools() : List.<PoolConfig>of()) {
                String key = slot.name() + "-" + pool.name();
                wanted.add(key);
                workers.computeIfAbsent(key, missing -> begin(slot, pool.name()));
            }
        }
        List.copyOf(workers.entrySet()).stream()
                .filter(worker -> !wanted.contains(worker.getKey()))
                .forEach(worker -> worker.getValue()
                        .retire()
                        .thenRun(() -> loop.execute(() -> {
                            workers.remove(worker.getKey(), worker.getValue());
                            loop.wake();
                        })));
    }

    private PoolWorker begin(ProviderSlot slot, String pool) {
        String id = "%s-PoolWorker.%s-%s-%s"
                .formatted(hostname, slot.name(), pool, random.get().toString().replace("-", ""));
        PoolWorker worker =
                new PoolWorker(slot, pool, id, hostname, clock, stores, scanner, tenants, events, surroundings);
        worker.start();
        return worker;
    }

    boolean serve(ProviderSlot slot) {
        return workers.values().stream().anyMatch(worker -> worker.slot() == slot);
    }

    Set<String> launcherIds() {
        Set<String> ids = new HashSet<>();
        workers.values().forEach(worker -> ids.add(worker.launcherId()));
        return ids;
    }

    /** Something changed that every answer depends on. */
    void wake() {
        workers.values().forEach(worker -> worker.loop().wake());
    }

    /** Something changed that answers of that provider's pools depend on. */
    void wake(String provider) {
        workers.values().stream()
                .filter(worker -> worker.slot().name().equals(provider))
                .forEach(worker -> worker.loop().wake());
    }

    /** Completes when everything in hand was let go, for others to go on with, and no pool is registered any more. */
    CompletionStage<Void> stop() {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        workers.values().forEach(worker -> ends.add(worker.stop().toCompletableFuture()));
        return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
    }
}
