package nodepool.driver.statemachine.keyscan;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.HostKeyScanner.Target;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scan of one machine: connections one after the other, one for each key type that it offers, until all keys are gathered
 * or the time is up. Whatever goes wrong with a connection is tried again. Runs on the loop's thread.
 */
final class Scan implements Connection.Listener {

    private static final Logger log = LoggerFactory.getLogger("nodepool.NodescanRequest");

    private static final Duration PAUSE = Duration.ofMillis(500);

    /** A type that is offered and then not shown, this many times, is left out. */
    private static final int CHANCES = 3;

    private final Target target;
    private final Duration attemptLimit;
    private final SelectorLoop loop;
    private final Lookup lookup;
    private final SecureRandom random;
    private final CompletableFuture<List<String>> result;
    private final SelectorLoop.Timer deadline;
    private final Map<HostKeyType, String> found = new EnumMap<>(HostKeyType.class);
    private final Map<HostKeyType, Integer> failures = new EnumMap<>(HostKeyType.class);
    private Set<HostKeyType> wanted = EnumSet.allOf(HostKeyType.class);
    private Optional<Connection> connection = Optional.empty();
    private Optional<SelectorLoop.Timer> limit = Optional.empty();
    private int attempts;
    private String trouble = "too many others are scanned";

    /**
     * The time of the target begins to run.
     *
     * @param attemptLimit for one connection
     */
    Scan(
            Target target,
            Duration attemptLimit,
            SelectorLoop loop,
            Lookup lookup,
            SecureRandom random,
            CompletableFuture<List<String>> result) {
        this.target = target;
        this.attemptLimit = attemptLimit;
        this.loop = loop;
        this.lookup = lookup;
        this.random = random;
        this.result = result;
        this.deadline = loop.after(target.within(), this::timeIsUp);
    }

    void start() {
        trouble = "no answer";
        attempt();
    }

    private void attempt() {
        lookup.of(target.address())
                .whenComplete((addresses, failure) -> loop.execute(
                        () -> lookedUp(Optional.ofNullable(addresses).orElse(List.of()))));
    }

    private void lookedUp(List<InetAddress> addresses) {
        if (result.isDone()) {
            return;
        }
        if (addresses.isEmpty()) {
            again("the name cannot be resolved");
            return;
        }
        connect(addresses.get(attempts % addresses.size()));
        attempts++;
    }

    private void connect(InetAddress address) {
        Optional<Handshake> handshake =
                target.gatherKeys() ? Optional.of(new Handshake(wanted, random)) : Optional.empty();
        try {
            Connection made = new Connection(loop, new InetSocketAddress(address, target.port()), handshake, this);
            connection = Optional.of(made);
            limit = Optional.of(
                    loop.after(attemptLimit, () -> made.fail(new IOException("it was silent for too long"))));
        } catch (IOException failure) {
            again(text(failure));
        }
    }

    @Override
    public void ended(Connection ended, Outcome outcome) {
        letGo();
        if (outcome instanceof Outcome.Gathered gathered) {
            found.put(gathered.type(), gathered.entry());
            wanted = EnumSet.noneOf(HostKeyType.class);
            wanted.addAll(gathered.others());
            if (wanted.isEmpty()) {
                succeed();
            } else {
                connect(ended.address());
            }
        } else if (outcome instanceof Outcome.NoKey) {
            startOver("it offers no host key of a known type");
        } else {
            succeed();
        }
    }

    @Override
    public void failed(Connection failed, Exception why) {
        letGo();
        failed.asked()
                .filter(type -> failures.merge(type, 1, Integer::sum) == CHANCES)
                .ifPresent(type -> leaveOut(type, why));
        if (!wanted.isEmpty()) {
            again(text(why));
        } else if (found.isEmpty()) {
            startOver(text(why));
        } else {
            succeed();
        }
    }

    private void leaveOut(HostKeyType type, Exception why) {
        log.warn("{} port {} offers {} and does not show it: {}", target.address(), target.port(), type, text(why));
        wanted.remove(type);
    }

    /** Its keys may have been made anew meanwhile, as a first boot does. */
    private void startOver(String why) {
        found.clear();
        failures.clear();
        wanted = EnumSet.allOf(HostKeyType.class);
        again(why);
    }

    private void again(String why) {
        log.debug("{} port {} is tried again: {}", target.address(), target.port(), why);
        trouble = why;
        loop.after(PAUSE, () -> {
            if (!result.isDone()) {
                attempt();
            }
        });
    }

    private static String text(Throwable failure) {
        return Optional.ofNullable(failure.getMessage()).orElseGet(failure::toString);
    }

    private void timeIsUp() {
        fail(new CloudException(
                Fault.KEY_SCAN,
                "%s port %d was not scanned within %d s: %s"
                        .formatted(
                                target.address(), target.port(), target.within().toSeconds(), trouble)));
    }

    private void succeed() {
        result.complete(List.copyOf(found.values()));
    }

    void fail(CloudException why) {
        result.completeExceptionally(why);
    }

    /** Lets everything go, once there is a result; repeating it does nothing. */
    void close() {
        loop.callOff(deadline);
        letGo();
    }

    private void letGo() {
        limit.ifPresent(loop::callOff);
        limit = Optional.empty();
        connection.ifPresent(open -> {
            try {
                open.close();
            } catch (IOException e) {
                log.debug("Closing a connection to {}", target.address(), e);
            }
        });
        connection = Optional.empty();
    }
}
