package nodepool.launcher;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import nodepool.api.event.Event;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;
import org.slf4j.Logger;

/**
 * The pool's {@link Account} of each request it has looked at. Stored when it changes, many at a time and a little later, so
 * that a request that is served at once costs no write, and numbers that change with every node cost few. Accounts go with
 * their requests; those that tell of a failure stay for a while. Confined to the pool's loop.
 */
final class Journal {

    private static final Duration COLLECTING = Duration.ofMillis(500);
    /** An answer whose numbers alone have changed is not stored more often. */
    private static final Duration SAME_CODE = Duration.ofSeconds(10);

    private static final Duration FAILURES_KEPT = Duration.ofHours(1);
    private static final int MOST_FAILURES = 500;

    private static final Optional<Reason.Code> ALREADY_SAID = Optional.of(Reason.Code.ALREADY_DECLINED);

    private final PoolMeans means;
    private final Logger log;
    private final Map<String, Account> accounts = new HashMap<>();
    private final Map<String, Instant> stored = new HashMap<>();
    private final Set<String> changed = new LinkedHashSet<>();
    private final Map<String, Instant> failures = new LinkedHashMap<>();
    private boolean writing;

    Journal(PoolMeans means, Logger log) {
        this.means = means;
        this.log = log;
    }

    /** Takes the pool's answer. */
    void note(NodeRequest request, Verdict verdict) {
        String id = request.id();
        Account before = accounts.get(id);
        if (before != null && (before.verdict().equals(verdict) || code(verdict).equals(ALREADY_SAID))) {
            return;
        }
        Instant now = means.clock().instant();
        boolean sameCode = before != null && code(before.verdict()).equals(code(verdict));
        accounts.put(
                id, before == null ? first(id, verdict, now) : before.with(verdict, sameCode ? before.since() : now));
        if (!sameCode || stored.getOrDefault(id, Instant.MIN).plus(SAME_CODE).isBefore(now)) {
            change(id);
        }
        means.events().on(new Event.Judged(id, means.slot().name(), means.poolName(), verdict));
        log.debug("Node request {}: {}", id, verdict);
    }

    /** Something happened to the request. */
    void note(NodeRequest request, Account.What what, String detail) {
        note(request, Account.Moment.of(means.clock().instant(), what, detail));
    }

    /** Something happened to one of its nodes. */
    void note(NodeRequest request, Account.What what, Node node) {
        String detail = String.join(", ", node.types());
        note(request, Account.Moment.of(means.clock().instant(), what, node.id(), detail));
    }

    /** An attempt to launch one of its nodes failed. */
    void failed(NodeRequest request, Node node, Reason why, Optional<String> console) {
        Instant now = means.clock().instant();
        note(
                request,
                new Account.Moment(now, Account.What.LAUNCH_FAILED, Optional.of(node.id()), why.detail(), console));
        failures.put(request.id(), now);
    }

    private void note(NodeRequest request, Account.Moment moment) {
        Account before = accounts.get(request.id());
        Account account = before == null ? first(request.id(), new Verdict.Accept(), moment.at()) : before;
        accounts.put(request.id(), account.with(moment));
        change(request.id());
    }

    private Account first(String id, Verdict verdict, Instant now) {
        return new Account(id, means.slot().name(), means.poolName(), means.launcherId(), verdict, now, List.of());
    }

    private static Optional<Reason.Code> code(Verdict verdict) {
        return verdict instanceof Verdict.Defer defer
                ? Optional.of(defer.until().code())
                : verdict instanceof Verdict.Decline decline
                        ? Optional.of(decline.because().code())
                        : Optional.empty();
    }

    private void change(String id) {
        if (changed.isEmpty() && !writing) {
            means.loop().in(COLLECTING, this::write);
        }
        changed.add(id);
    }

    private void write() {
        List<Account> due = new ArrayList<>();
        Instant now = means.clock().instant();
        for (String id : changed) {
            Account account = accounts.get(id);
            if (account != null) {
                due.add(account);
                stored.put(id, now);
            }
        }
        changed.clear();
        if (!due.isEmpty()) {
            writing = true;
            means.loop().after(means.stores().accounts().write(means.launcherId(), due), (done, failure) -> {
                writing = false;
                if (failure != null) {
                    due.forEach(account -> stored.remove(account.requestId()));
                    log.debug("Could not store what there is to say of {} requests", due.size(), failure);
                }
                if (!changed.isEmpty()) {
                    means.loop().in(COLLECTING, this::write);
                }
            });
        }
    }

    /** Forgets requests that are gone, those with failures some time later. */
    void forgetGone(Snapshot snapshot) {
        forgetOldFailures();
        Set<String> over = new HashSet<>();
        accounts.keySet().removeIf(id -> {
            boolean gone = snapshot.request(id).isEmpty() && !failures.containsKey(id);
            if (gone) {
                over.add(id);
            }
            return gone;
        });
        changed.removeAll(over);
        over.removeIf(id -> stored.remove(id) == null);
        if (!over.isEmpty()) {
            Loop.begin(means.stores().accounts().remove(means.launcherId(), over), log);
        }
    }

    private void forgetOldFailures() {
        Instant old = means.clock().instant().minus(FAILURES_KEPT);
        failures.values().removeIf(old::isAfter);
        var oldest = failures.keySet().iterator();
        while (failures.size() > MOST_FAILURES) {
            oldest.next();
            oldest.remove();
        }
    }
}
