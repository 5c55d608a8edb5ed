package nodepool.itest.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a launcher had in hand when it was killed moves on, and half-built machines are gone on with. In hand is what its
 * session had locked when the session ended; it moves on when somebody else locks or writes it.
 */
final class RecoveryCheck {

    private static final String NODES = "/nodepool/nodes/";
    private static final String REQUESTS = "/nodepool/requests/";
    private static final String REQUEST_LOCKS = "/nodepool/requests-lock/";

    private final History history;
    private final List<String> faults = new ArrayList<>();
    private Duration longest = Duration.ZERO;
    private int inHand;
    private int resumed;

    RecoveryCheck(History history) {
        this.history = history;
        history.kills().forEach(this::look);
    }

    List<String> faults() {
        return faults;
    }

    /** From a kill until the last of what was in hand has moved on. */
    Duration longest() {
        return longest;
    }

    /** How many requests and nodes were in hand, over all kills. */
    int inHand() {
        return inHand;
    }

    /** How many half-built machines became ready nodes. */
    int resumed() {
        return resumed;
    }

    private void look(Kill kill) {
        Set<Long> sessions = new HashSet<>();
        history.changes().stream()
                .filter(change -> change.path().startsWith("/nodepool/components/pool/")
                        && change.kind() == Change.Kind.CREATED
                        && Document.parse(change.data())
                                .text("id")
                                .filter(kill.pools()::contains)
                                .isPresent())
                .forEach(change -> sessions.add(change.session()));
        Optional<Change> closed = history.changes().stream()
                .filter(change -> change.kind() == Change.Kind.SESSION_CLOSED
                        && sessions.contains(change.session())
                        && !change.at().isBefore(kill.at()))
                .findFirst();
        closed.ifPresentOrElse(
                end -> lockedBy(end).forEach(path -> moves(kill, end, path)),
                () -> faults.add("the session of " + kill.launcher() + " never ended"));
    }

    /** Records whose lock went with that session. */
    private Set<String> lockedBy(Change closed) {
        Set<String> records = new HashSet<>();
        for (Change change : history.changes()) {
            if (change.zxid() == closed.zxid() && change.kind() == Change.Kind.DELETED) {
                String path = change.path();
                if (path.startsWith(REQUEST_LOCKS)) {
                    records.add(REQUESTS + path.substring(REQUEST_LOCKS.length(), path.lastIndexOf('/')));
                } else if (path.startsWith(NODES) && path.contains("/lock/")) {
                    records.add(path.substring(0, path.indexOf("/lock/")));
                }
            }
        }
        return records;
    }

    private void moves(Kill kill, Change closed, String path) {
        boolean isNode = path.startsWith(NODES);
        String id = path.substring(path.lastIndexOf('/') + 1);
        Story story = (isNode ? history.nodes() : history.requests()).get(id);
        Optional<Document> said = story == null ? Optional.empty() : story.after(closed.zxid());
        if (said.filter(document -> isNode ? waits(document, closed) : document.is("pending"))
                .isEmpty()) {
            return;
        }
        inHand++;
        String lock = isNode ? path + "/lock/" : REQUEST_LOCKS + id + "/";
        Optional<Change> moved = history.changes().stream()
                .filter(change -> change.zxid() > closed.zxid()
                        && (change.path().equals(path)
                                || (change.path().startsWith(lock) && change.kind() == Change.Kind.CREATED)))
                .findFirst();
        if (moved.isEmpty()) {
            faults.add("%s of %s never moved on".formatted(path, kill.launcher()));
        } else {
            Duration took = Duration.between(kill.at(), moved.get().at());
            longest = took.compareTo(longest) > 0 ? took : longest;
        }
        if (isNode && said.get().is("building")) {
            resumes(story, said.get(), closed);
        }
    }

    private boolean waits(Document node, Change closed) {
        boolean pending = node.text("allocated_to")
                .map(history.requests()::get)
                .flatMap(request -> request.after(closed.zxid()))
                .filter(request -> request.is("pending"))
                .isPresent();
        return !node.is("ready") || pending;
    }

    /** A customer's machine that was there and not ready must become ready, unless the customer wants it no more. */
    private void resumes(Story node, Document building, Change closed) {
        String request = building.text("allocated_to").orElse("");
        boolean hadMachine = history.machines().stream()
                .anyMatch(machine -> machine.node().equals(node.id()) && machine.existsAt(closed.at()));
        if (!hadMachine || !history.isCustomers(request)) {
            return;
        }
        Optional<Story.Version> next = node.versions().stream()
                .filter(version -> version.change().zxid() > closed.zxid()
                        && !version.document().is("building"))
                .findFirst();
        if (next.filter(version -> version.document().is("ready")).isPresent()) {
            resumed++;
        } else if (next.isEmpty()
                || history.requests()
                        .get(request)
                        .isThereAfter(next.get().change().zxid())) {
            faults.add("the half-built machine of node %s for %s was thrown away".formatted(node.id(), request));
        }
    }
}
