package nodepool.cli.verb;

import java.io.PrintWriter;
import nodepool.api.store.Snapshot;

/** Records that a list had to leave out. */
final class Unreadable {

    private Unreadable() {}

    /** Names each of them. One without data is being made or removed, which is nothing to tell. */
    static void tell(Snapshot snapshot, String kind, PrintWriter err) {
        snapshot.malformed().stream()
                .filter(one -> one.kind().equals(kind) && !one.empty())
                .forEach(one -> err.println("not listed: " + one.path() + " " + one.problem()));
    }
}
