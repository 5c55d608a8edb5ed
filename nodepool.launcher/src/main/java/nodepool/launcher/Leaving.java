package nodepool.launcher;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Providers that are not configured any more, of which each is asked to give back what only it can. Confined to the
 * launcher's loop.
 */
final class Leaving {

    private enum Answer {
        ASKED,
        NOT_YET,
        DONE
    }

    private static final Logger log = LoggerFactory.getLogger("nodepool.NodePool");

    private final Loop loop;
    private final Stores stores;
    private final Map<String, Answer> answers = new HashMap<>();
    private final Set<String> told = new HashSet<>();

    Leaving(Loop loop, Stores stores) {
        this.loop = loop;
        this.stores = stores;
    }

    /** Whether nothing is left of the provider that nobody else can give back. If not, it is asked; the answer wakes the loop. */
    boolean isEmptied(ProviderSlot slot) {
        Optional<RunningProvider> generation = slot.current();
        Answer answer = answers.get(slot.name());
        if (generation.isEmpty() || answer == Answer.DONE) {
            return true;
        }
        if (answer != Answer.ASKED && stores.snapshots().current().isPresent()) {
            answers.put(slot.name(), Answer.ASKED);
            loop.after(ask(slot.name(), generation.get()), (done, failure) -> answered(slot.name(), done, failure));
        }
        return false;
    }

    /** From now on it is in service as any other, or gone. */
    void forget(String provider) {
        answers.remove(provider);
        told.remove(provider);
    }

    private CompletionStage<Boolean> ask(String name, RunningProvider generation) {
        return stores.snapshots()
                .caughtUp()
                .thenCompose(now -> isServed(name, now)
                        ? CompletableFuture.completedFuture(true)
                        : generation.call(() -> generation.provider().drain(now)));
    }

    /** By another launcher: our own pools of it are not registered any more. */
    private static boolean isServed(String provider, Snapshot snapshot) {
        return Registry.pools(snapshot).stream()
                .anyMatch(pool -> pool.provider().equals(provider));
    }

    private void answered(String name, @Nullable Boolean done, @Nullable Throwable failure) {
        if (!answers.containsKey(name)) {
            return;
        }
        boolean emptied = Boolean.TRUE.equals(done);
        answers.put(name, emptied ? Answer.DONE : Answer.NOT_YET);
        if (failure != null) {
            log.warn(
                    "Provider {} could not give back what it keeps: {}",
                    name,
                    Outcome.cause(failure).getMessage());
        } else if (emptied) {
            loop.wake();
        } else if (told.add(name)) {
            log.info("Provider {} is no longer configured; it stays until its nodes are given back", name);
        }
    }
}
