package nodepool.launcher;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;

/** What a test has ordered to go wrong in a {@link ScriptedCloud}, whose lock guards it. */
final class Mishaps {

    private final Deque<CloudException> creations = new ArrayDeque<>();
    private final Deque<CloudException> deletions = new ArrayDeque<>();
    private Optional<CloudException> down = Optional.empty();
    private Optional<Runnable> afterCreation = Optional.empty();
    private String quoted = "";
    private int bugs;
    private int brokenServers;

    /** From now on what is ordered to fail quotes this text. */
    void quote(String text) {
        quoted = " " + text;
    }

    void failCreations(Fault fault, int times) {
        for (int i = 0; i < times; i++) {
            creations.add(new CloudException(fault, "creation failed as told" + quoted));
        }
    }

    void failCreationsByBug(int times) {
        bugs = times;
    }

    void breakServers(int times) {
        brokenServers = times;
    }

    void failDeletions(int times) {
        for (int i = 0; i < times; i++) {
            deletions.add(new CloudException(Fault.TRANSIENT, "deletion failed as told"));
        }
    }

    void afterNextCreation(Runnable then) {
        afterCreation = Optional.of(then);
    }

    void goDown() {
        down = Optional.of(new CloudException(Fault.TRANSIENT, "the cloud is down" + quoted));
    }

    void comeBack() {
        down = Optional.empty();
    }

    void checkUp() throws CloudException {
        if (down.isPresent()) {
            throw down.get();
        }
    }

    void beforeCreation() throws CloudException {
        if (bugs > 0) {
            bugs--;
            throw new IllegalStateException("a bug of the driver, as told" + quoted);
        }
        if (!creations.isEmpty()) {
            throw creations.remove();
        }
    }

    boolean breaksNextServer() {
        boolean breaks = brokenServers > 0;
        brokenServers = Math.max(0, brokenServers - 1);
        return breaks;
    }

    Optional<Runnable> takeAfterCreation() {
        Optional<Runnable> taken = afterCreation;
        afterCreation = Optional.empty();
        return taken;
    }

    void beforeDeletion() throws CloudException {
        if (!deletions.isEmpty()) {
            throw deletions.remove();
        }
    }
}
