package nodepool.driver.metastatic;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import nodepool.driver.metastatic.MetastaticLabel.Backing;

/** How long backing nodes are kept. Pure. */
final class Retention {

    /** What to do with one backing node. */
    sealed interface Verdict {

        /** Nothing, and to look again then; absent: when something changes. */
        record Keep(Optional<Instant> until) implements Verdict {}

        /** It gets no more nodes from now on. */
        record Retire() implements Verdict {}

        /** Give it back. */
        record Release(Duration idle) implements Verdict {}
    }

    private Retention() {}

    /**
     * @param label as configured; absent if its label is not configured any more
     * @param since from when on idle time counts for a node that was never used
     */
    static Verdict judge(BackingNode node, Optional<Backing> label, Instant since, Instant now) {
        Optional<Duration> maxAge = label.flatMap(Backing::maxAge);
        boolean gone = label.isEmpty() || node.use().failed();
        if (!gone && node.isTooOld(maxAge, now)) {
            return new Verdict.Retire();
        }
        Instant launched = node.use().launched();
        Optional<Instant> tooOld =
                gone ? Optional.empty() : maxAge.map(age -> launched.plus(age).plusMillis(1));
        if (!node.isEmpty()) {
            return new Verdict.Keep(tooOld);
        }
        Instant idle = node.use().lastUsed().orElse(launched.isAfter(since) ? launched : since);
        if (gone) {
            return new Verdict.Release(Duration.between(idle, now));
        }
        Instant rested = idle.plus(label.get().graceTime());
        Instant served = launched.plus(label.get().minRetention());
        Instant due = (rested.isAfter(served) ? rested : served).plusMillis(1);
        if (!due.isAfter(now)) {
            return new Verdict.Release(Duration.between(idle, now));
        }
        return new Verdict.Keep(Optional.of(tooOld.filter(due::isAfter).orElse(due)));
    }
}
