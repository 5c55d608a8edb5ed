package nodepool.launcher;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Reason.Code;
import nodepool.api.verdict.Verdict;

/**
 * Decides what a pool answers to a request, from values and nothing else. Room and stock at the moment are not looked at
 * here: an {@link Verdict.Accept} says that the pool would take it if there is room.
 */
final class Placement {

    private Placement() {}

    /** The order in which a pool looks at requests: those it can serve first, each in the requests' own order. */
    static int missingLabels(NodeRequest request, Set<String> labels) {
        Set<String> missing = new TreeSet<>(request.wanted().nodeTypes());
        missing.removeAll(labels);
        return missing.size();
    }

    /** The pool's answer. */
    static Verdict judge(NodeRequest request, PoolView view) {
        return letOthers(request, view)
                .or(() -> tenantLimit(request, view))
                .<Verdict>map(Verdict.Defer::new)
                .or(() -> mustDecline(request, view).map(Verdict.Decline::new))
                .or(() -> view.trouble().map(Verdict.Defer::new))
                .orElseGet(Verdict.Accept::new);
    }

    /** Whether the answer should be left to another pool. */
    private static Optional<Reason> letOthers(NodeRequest request, PoolView view) {
        if (request.declinedBy().contains(view.launcherId())) {
            return Optional.of(Reason.of(Code.ALREADY_DECLINED, "this pool has declined it"));
        }
        List<Registration.Pool> candidates = view.others().stream()
                .filter(other ->
                        other.supportedLabels().containsAll(request.wanted().nodeTypes()))
                .filter(other -> !request.declinedBy().contains(other.id()))
                .toList();
        Optional<String> wish = request.wanted().provider();
        if (wish.isPresent()
                && !wish.get().equals(view.provider())
                && candidates.stream().anyMatch(other -> other.provider().equals(wish.get()))) {
            return Optional.of(Reason.of(Code.OTHER_PROVIDER_WANTED, "it asks for provider " + wish.get()));
        }
        for (Registration.Pool other : candidates) {
            if (other.priority() < view.pool().priority() && !other.paused()) {
                return Optional.of(Reason.of(
                        Code.OTHER_POOL_PREFERRED,
                        "%s has priority %d, this pool %d"
                                .formatted(
                                        other.provider(),
                                        other.priority(),
                                        view.pool().priority())));
            }
        }
        if (missingLabels(request, view.labels()) > 0 && !candidates.isEmpty()) {
            return Optional.of(
                    Reason.of(Code.OTHER_POOL_PREFERRED, candidates.get(0).provider() + " has all of its labels"));
        }
        return Optional.empty();
    }

    private static Optional<Reason> tenantLimit(NodeRequest request, PoolView view) {
        if (!view.launches()) {
            return Optional.empty();
        }
        return request.asker()
                .tenantName()
                .flatMap(tenant -> Optional.ofNullable(view.tenantRoom().get(tenant))
                        .flatMap(room -> TenantLedger.tooMuch(tenant, room, need(request, view))));
    }

    /** The first reason that applies, in the order of the launcher's specification. */
    static Optional<Reason> mustDecline(NodeRequest request, PoolView view) {
        if (view.pool().maxServers().orElse(1) <= 0) {
            return Optional.of(Reason.of(Code.POOL_DISABLED, "pool is disabled by max_servers"));
        }
        String pool = view.pool().name();
        Set<String> unknown = new TreeSet<>(request.wanted().nodeTypes());
        unknown.removeIf(label -> view.labels().contains(label)
                && view.facts().broken(pool, label).isEmpty());
        if (!unknown.isEmpty()) {
            return Optional.of(Reason.of(
                    Code.LABEL_UNKNOWN, "node type(s) [%s] not available".formatted(String.join(",", unknown))));
        }
        for (String label : request.wanted().nodeTypes()) {
            Optional<Reason> missing = view.facts()
                    .unready(pool, label)
                    .or(() -> Optional.ofNullable(view.unready().get(label)));
            if (missing.isPresent()) {
                return Optional.of(Reason.of(
                        Code.IMAGE_MISSING,
                        "images are not available: " + missing.get().detail()));
            }
        }
        return view.launches() ? tooBig(request, view) : Optional.empty();
    }

    private static Optional<Reason> tooBig(NodeRequest request, PoolView view) {
        QuotaInformation need = need(request, view);
        QuotaInformation limits = view.pool().ignoreProviderQuota()
                ? view.pool().limits()
                : view.pool().limits().smallerOf(view.facts().limits());
        return limits.minus(need)
                .exceeded()
                .map(resource -> Reason.of(
                        Code.EXCEEDS_QUOTA,
                        "it would exceed quota: %s: asked %.0f of %.0f"
                                .formatted(resource, need.of(resource), limits.of(resource))));
    }

    /** What the labels use that this pool has. */
    static QuotaInformation need(NodeRequest request, PoolView view) {
        return request.wanted().nodeTypes().stream()
                .filter(view.labels()::contains)
                .map(label -> view.facts().need(view.pool().name(), label))
                .reduce(QuotaInformation.NOTHING, QuotaInformation::plus);
    }
}
