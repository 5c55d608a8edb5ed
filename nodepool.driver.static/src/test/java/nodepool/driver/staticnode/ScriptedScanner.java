package nodepool.driver.staticnode;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.HostKeyScanner;

/** Answers as told; hosts it was not told about offer one key. */
final class ScriptedScanner implements HostKeyScanner {

    private final Map<String, List<String>> keys = new ConcurrentHashMap<>();
    private final Map<String, String> down = new ConcurrentHashMap<>();
    private final List<Target> asked = new CopyOnWriteArrayList<>();

    void offers(String host, String... hostKeys) {
        down.remove(host);
        keys.put(host, List.of(hostKeys));
    }

    void isDown(String host, String why) {
        down.put(host, why);
    }

    List<Target> asked() {
        return List.copyOf(asked);
    }

    @Override
    public CompletionStage<List<String>> scan(Target target) {
        asked.add(target);
        String why = down.get(target.address());
        if (why != null) {
            return CompletableFuture.failedStage(new CloudException(CloudException.Fault.KEY_SCAN, why));
        }
        return CompletableFuture.completedStage(
                target.gatherKeys()
                        ? keys.getOrDefault(target.address(), List.of("ssh-ed25519 " + target.address()))
                        : List.of());
    }
}
