package nodepool.cli.verb;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Option;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.Listing;
import nodepool.cli.output.Listing.View;

/**
 * A command that lists what the shared state holds: once, or with {@code --watch} again whenever the list has changed.
 *
 * @param <T> what a row shows
 */
final class ListVerb<T> implements Verb {

    /** What there is to list. */
    @FunctionalInterface
    interface Rows<T> {

        /** @param now the moment of which ages are told */
        Collection<T> of(Snapshot snapshot, Instant now, CommandContext context) throws CommandException;
    }

    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    private final Syntax syntax;
    private final Listing<T> listing;
    private final Optional<String> kind;
    private final Rows<T> rows;

    /**
     * @param command name, summary and examples
     * @param kind of the records listed, to name those that cannot be read; absent if there are none of its own
     */
    ListVerb(Syntax command, Listing<T> listing, Optional<String> kind, Rows<T> rows) {
        this.syntax = listing.addTo(command)
                .with(Option.flag("print the list again whenever it has changed, until interrupted", "--watch"));
        this.listing = listing;
        this.kind = kind;
        this.rows = rows;
    }

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException, Mistake {
        View<T> view = listing.view(call.arguments());
        Snapshot first = call.context().snapshot();
        if (call.arguments().has("--watch")) {
            watch(view, call);
        } else {
            view.print(rows.of(first, call.now(), call.context()), call.out());
            kind.ifPresent(mine -> Unreadable.tell(first, mine, call.err()));
        }
        return 0;
    }

    /** Ends with an interrupt, or when nobody reads any more. Changes that come while one is printed are one change. */
    private void watch(View<T> view, Call call) throws CommandException {
        SnapshotSource source = call.context().stores().snapshots();
        Semaphore changes = new Semaphore(1);
        Instant start = call.now();
        Optional<String> shown = Optional.empty();
        Subscription subscription = source.onChange(changes::release);
        try {
            while (!call.out().checkError()) {
                changes.acquire();
                changes.drainPermits();
                Optional<Snapshot> snapshot = source.current();
                if (snapshot.isEmpty()) {
                    call.err().println("connection lost: " + source.status().detail());
                    continue;
                }
                Optional<String> content = Optional.of(text(view, snapshot.get(), start, call));
                if (!content.equals(shown)) {
                    String between = call.context().drawsOnTerminal() ? CLEAR_SCREEN : shown.isPresent() ? "\n" : "";
                    call.out().print(between + text(view, snapshot.get(), call.now(), call));
                    shown = content;
                }
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        } finally {
            subscription.close();
        }
    }

    private String text(View<T> view, Snapshot snapshot, Instant now, Call call) throws CommandException {
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text);
        view.print(rows.of(snapshot, now, call.context()), writer);
        writer.flush();
        return text.toString();
    }
}
