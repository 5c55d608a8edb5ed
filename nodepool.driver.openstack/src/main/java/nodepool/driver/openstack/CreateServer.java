package nodepool.driver.openstack;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Launch;
import nodepool.api.driver.Step;
import nodepool.driver.openstack.cloud.Caller;
import nodepool.driver.openstack.cloud.Compute;
import nodepool.driver.openstack.cloud.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for a server, step by step; {@link AwaitServer} goes on.
 *
 * <pre>
 * (nothing) → asked → server
 * </pre>
 *
 * <p>Two servers for one node are the danger: the service may have made one although its answer was lost, or the launcher ended
 * before it stored it. So a mark is stored before the service is asked. Only who set the mark a moment ago asks at once; whoever
 * else finds it looks for the server first.
 */
final class CreateServer {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.openstack");

    /** How long a server whose making was not confirmed is looked for before it is asked for again. */
    private static final Duration SEARCH = Duration.ofSeconds(20);

    private static final Duration SEARCH_PAUSE = Duration.ofSeconds(2);

    private static final String MARK = "mark";
    private static final String LOST = "lost";

    private final String provider;
    private final Compute compute;
    private final Inventory inventory;
    private final ServerOrder order;
    private final AwaitServer awaiting;
    private final Clock clock;
    private final Set<String> freshMarks = ConcurrentHashMap.newKeySet();

    CreateServer(
            String provider,
            Compute compute,
            Inventory inventory,
            ServerOrder order,
            AwaitServer awaiting,
            Clock clock) {
        this.provider = provider;
        this.compute = compute;
        this.inventory = inventory;
        this.order = order;
        this.awaiting = awaiting;
        this.clock = clock;
    }

    /** The next step. */
    Step advance(Launch launch, Optional<String> zone, Map<String, String> memo) throws CloudException {
        if (AwaitServer.isUnderWay(memo)) {
            return awaiting.advance(launch, memo);
        }
        return memo.containsKey(MARK) ? make(launch, zone, memo) : mark();
    }

    private Step mark() {
        String mark = UUID.randomUUID().toString();
        freshMarks.add(mark);
        return new Step.Again(Map.of(MARK, mark), Optional.empty(), Duration.ZERO);
    }

    private Step make(Launch launch, Optional<String> zone, Map<String, String> memo) throws CloudException {
        if (!freshMarks.remove(memo.getOrDefault(MARK, ""))) {
            Optional<Server> before = find(launch.node().id());
            if (before.isPresent()) {
                String id = before.get().id();
                log.info("Node {} has server {} already", launch.node().id(), id);
                return awaiting.begin(id);
            }
            if (isLostSince(memo, SEARCH)) {
                return new Step.Again(memo, Optional.empty(), SEARCH_PAUSE);
            }
        }
        return ask(launch, zone, memo);
    }

    private Step ask(Launch launch, Optional<String> zone, Map<String, String> memo) throws CloudException {
        ServerBody body = order.body(launch, zone);
        try {
            return awaiting.begin(
                    compute.create(body.toJson((OpenStackPool) launch.pool(), (OpenStackLabel) launch.label())));
        } catch (CloudException e) {
            if (e.fault() == Fault.BAD_REQUEST) {
                inventory.forget();
            }
            if (!Caller.mayBeDone(e)) {
                throw e;
            }
            log.warn(
                    "Node {}: it is not known whether a server was made, looking for it: {}",
                    launch.node().id(),
                    e.getMessage());
            Map<String, String> next = new HashMap<>(memo);
            next.put(LOST, Long.toString(clock.millis()));
            return new Step.Again(next, Optional.empty(), SEARCH_PAUSE);
        }
    }

    private Optional<Server> find(String node) throws CloudException {
        return inventory.servers().fetch().stream()
                .filter(server -> !server.isDeleted())
                .filter(server ->
                        Ownership.node(server, provider).filter(node::equals).isPresent())
                .findFirst();
    }

    /** Whether the service was asked without an answer, and less than that time ago. */
    private boolean isLostSince(Map<String, String> memo, Duration limit) {
        return memo.containsKey(LOST)
                && clock.millis() - Long.parseLong(memo.getOrDefault(LOST, "0")) < limit.toMillis();
    }
}
