package nodepool.cli.verb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import nodepool.api.config.ProviderEntry;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.ProviderMark;
import nodepool.api.store.ProviderMarks;
import nodepool.api.store.Snapshot;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.Column;
import nodepool.cli.output.Format;

/** {@code provider-pause}, {@code provider-resume} and {@code provider-drain}. */
final class MarkProvider implements Verb {

    /** Hosts that stay when they are not configured any more: free slots on them are nothing that is left. */
    private static final String STATIC = "static";

    private static final List<Column<Map.Entry<String, Long>>> LEFT = List.of(
            Column.word("state", "State", Map.Entry::getKey), Column.number("nodes", "Nodes", Map.Entry::getValue));

    private final Optional<ProviderMark> mark;
    private final Syntax syntax;

    private MarkProvider(Optional<ProviderMark> mark, Syntax syntax) {
        this.mark = mark;
        this.syntax = syntax;
    }

    static MarkProvider pausing() {
        return new MarkProvider(
                Optional.of(ProviderMark.PAUSED),
                Verb.named(
                                "provider-pause",
                                "let a provider take no more requests, at every launcher, until it is resumed")
                        .with(Positional.one("PROVIDER", "what it has in hand goes on, and its nodes stay"))
                        .example("nodepool provider-pause east"));
    }

    static MarkProvider resuming() {
        return new MarkProvider(
                Optional.empty(),
                Verb.named("provider-resume", "let a provider that is paused or drained serve again")
                        .with(Positional.one("PROVIDER", "name of the provider"))
                        .example("nodepool provider-resume east"));
    }

    static MarkProvider draining() {
        return new MarkProvider(
                Optional.of(ProviderMark.DRAINED),
                Verb.named("provider-drain", "pause a provider and remove its stock; say what is left of it")
                        .with(Positional.one("PROVIDER", "nodes in use stay until they are given back"))
                        .example("nodepool provider-drain east"));
    }

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        String provider = call.arguments().word();
        Snapshot snapshot = call.context().snapshot();
        if (!isKnown(provider, snapshot, call.context())) {
            throw CommandException.no("Provider " + provider + " not found");
        }
        ProviderMarks marks = call.context().stores().providerMarks();
        call.context().await(mark.isPresent() ? marks.mark(provider, mark.get()) : marks.clear(provider));
        if (mark.equals(Optional.of(ProviderMark.DRAINED))) {
            tellWhatIsLeft(provider, snapshot, call);
        }
        return 0;
    }

    private static boolean isKnown(String provider, Snapshot snapshot, CommandContext context) {
        return snapshot.mark(provider).isPresent()
                || !snapshot.nodesOf(provider).isEmpty()
                || isServed(provider, snapshot)
                || context.configuration()
                        .flatMap(configuration -> configuration.provider(provider))
                        .isPresent();
    }

    private static boolean isServed(String provider, Snapshot snapshot) {
        return snapshot.components().stream()
                .flatMap(component -> component.pool().stream())
                .anyMatch(pool -> pool.provider().equals(provider));
    }

    private static void tellWhatIsLeft(String provider, Snapshot snapshot, Call call) {
        boolean hosts = call.context()
                .configuration()
                .flatMap(configuration -> configuration.provider(provider))
                .map(ProviderEntry::driver)
                .filter(STATIC::equals)
                .isPresent();
        Map<String, Long> left = snapshot.nodesOf(provider).stream()
                .filter(node -> !(hosts && isFree(node)))
                .collect(Collectors.groupingBy(node -> node.state().wireName(), TreeMap::new, Collectors.counting()));
        if (left.isEmpty()) {
            call.out()
                    .println("Nothing is left of provider " + provider
                            + ": it may be removed from the configuration now.");
            return;
        }
        Format.TABLE.write(LEFT, new ArrayList<>(left.entrySet()), true, call.out());
        call.out()
                .println("This is left of provider " + provider
                        + ": it may be removed from the configuration when it is gone. Call this again to see.");
        if (!isServed(provider, snapshot)) {
            call.err().println("No launcher serves provider " + provider + " now, so nothing of it goes.");
        }
    }

    private static boolean isFree(Node node) {
        return node.state() == NodeState.READY && !node.isAllocated();
    }
}
