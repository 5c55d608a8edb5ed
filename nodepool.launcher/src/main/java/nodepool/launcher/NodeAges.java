package nodepool.launcher;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import nodepool.api.config.Configuration;
import nodepool.api.config.Label;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;

/**
 * Which nodes are too old for their state.
 *
 * @param config says how old they may be
 * @param now the moment at which that is asked
 */
record NodeAges(Configuration config, Instant now) {

    /** A launcher locks a node in the moment after it has recorded it. */
    private static final Duration OLD_INIT = Duration.ofMinutes(10);

    /** Why a ready or held node exceeds the age that it may have; absent if it does not. */
    Optional<String> excess(Node node) {
        return switch (node.state()) {
            case READY -> node.isAllocated() ? Optional.empty() : beyond(node, maxReadyAge(node));
            case HOLD -> beyond(node, maxHoldAge(node));
            default -> Optional.empty();
        };
    }

    /** Why nobody will ever make the machine of a node; absent if somebody may, as far as its age tells. */
    Optional<String> orphaned(Node node) {
        return node.state() == NodeState.INIT ? beyond(node, OLD_INIT) : Optional.empty();
    }

    private Duration maxReadyAge(Node node) {
        return node.types().stream()
                .flatMap(type -> Optional.ofNullable(config.labels().get(type)).stream())
                .map(Label::maxReadyAge)
                .filter(limit -> limit.compareTo(Duration.ZERO) > 0)
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private Duration maxHoldAge(Node node) {
        Duration own = Duration.ofSeconds(node.use().holdExpiration().orElse(0));
        Duration general = config.maxHoldAge();
        boolean ownIsShorter = own.compareTo(general) < 0;
        Duration shorter = ownIsShorter ? own : general;
        Duration longer = ownIsShorter ? general : own;
        return shorter.compareTo(Duration.ZERO) > 0 ? shorter : longer;
    }

    /** A limit that is not positive is none. */
    private Optional<String> beyond(Node node, Duration limit) {
        Duration age = Duration.between(node.stateTime(), now);
        return limit.compareTo(Duration.ZERO) > 0 && age.compareTo(limit) >= 0
                ? Optional.of("it is %s for %d s, at most %d s are allowed"
                        .formatted(node.state().wireName(), age.toSeconds(), limit.toSeconds()))
                : Optional.empty();
    }
}
