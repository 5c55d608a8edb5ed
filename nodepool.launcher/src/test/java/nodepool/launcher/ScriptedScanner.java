package nodepool.launcher;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.HostKeyScanner;

/** Finds one key everywhere, except as often as it was told to fail. Thread-safe. */
final class ScriptedScanner implements HostKeyScanner {

    static final String KEY = "ssh-ed25519 AAAA";

    private final AtomicInteger failures = new AtomicInteger();
    private final Set<String> down = ConcurrentHashMap.newKeySet();
    private final List<Target> asked = new CopyOnWriteArrayList<>();

    /** The next scans fail. */
    void fail(int times) {
        failures.set(times);
    }

    /** Nobody answers there until {@link #isUp}. */
    void isDown(String address) {
        down.add(address);
    }

    void isUp(String address) {
        down.remove(address);
    }

    List<Target> asked() {
        return List.copyOf(asked);
    }

    @Override
    public CompletionStage<List<String>> scan(Target target) {
        asked.add(target);
        if (down.contains(target.address()) || failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return CompletableFuture.failedStage(
                    new CloudException(CloudException.Fault.KEY_SCAN, target.address() + " did not answer"));
        }
        return CompletableFuture.completedStage(target.gatherKeys() ? List.of(KEY) : List.of());
    }
}
