package nodepool.driver.staticnode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.json.JsonValue.JsonNull;

/** Configured hosts for tests. */
final class Hosts {

    private Hosts() {}

    static StaticNode host(String name, int slots, String... labels) {
        return new StaticNode(
                name,
                List.of(labels.length == 0 ? new String[] {"desk"} : labels),
                "zuul",
                Duration.ofSeconds(5),
                true,
                List.of(),
                "ssh",
                22,
                Optional.empty(),
                "auto",
                slots);
    }

    static StaticNode requiring(StaticNode host, String... keys) {
        return new StaticNode(
                host.name(),
                host.labels(),
                host.username(),
                host.timeout(),
                host.hostKeyChecking(),
                List.of(keys),
                host.connectionType(),
                host.port(),
                host.shellType(),
                host.pythonPath(),
                host.slots());
    }

    static StaticNode unchecked(StaticNode host, String type, String... keys) {
        return new StaticNode(
                host.name(),
                host.labels(),
                host.username(),
                host.timeout(),
                false,
                List.of(keys),
                type,
                host.port(),
                host.shellType(),
                host.pythonPath(),
                host.slots());
    }

    static StaticNode listening(StaticNode host, int port, Duration timeout) {
        return new StaticNode(
                host.name(),
                host.labels(),
                host.username(),
                timeout,
                host.hostKeyChecking(),
                host.hostKeys(),
                host.connectionType(),
                port,
                host.shellType(),
                host.pythonPath(),
                host.slots());
    }

    static StaticPool pool(String name, StaticNode... nodes) {
        return new StaticPool(name, OptionalInt.empty(), 100, JsonNull.NULL, List.of(nodes));
    }

    static StaticConfig config(StaticNode... nodes) {
        return new StaticConfig("cellar", -1, List.of(pool("main", nodes)));
    }
}
