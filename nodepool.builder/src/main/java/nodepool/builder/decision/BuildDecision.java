package nodepool.builder.decision;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import nodepool.api.image.ImageBuild;

/** Whether an image is to be built now. */
public sealed interface BuildDecision {

    /** Build it. */
    record Build(Cause cause) implements BuildDecision {}

    /**
     * Do not build it.
     *
     * @param why for whoever wonders
     * @param until when time alone changes the answer, if it does
     */
    record Rest(String why, Optional<Instant> until) implements BuildDecision {}

    /** Why an image is built. */
    enum Cause {
        REQUESTED("a build was requested"),
        NEVER_BUILT("there is no ready build"),
        TOO_OLD("the newest build is too old"),
        FORMAT_MISSING("the newest build lacks a format");

        private final String words;

        Cause(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** What the records say. A failed build and the wait after it are the caller's affair. */
    static BuildDecision of(BuildWish wish, ImageFacts facts, Instant now) {
        if (wish.image().paused()) {
            return rest("paused in the configuration");
        }
        if (facts.paused()) {
            return rest("paused by command");
        }
        if (wish.formats().isEmpty()) {
            return rest("no provider here wants it and no formats are configured");
        }
        if (facts.building()) {
            return rest("being built");
        }
        if (facts.requested()) {
            return new Build(Cause.REQUESTED);
        }
        Optional<ImageBuild> newest = facts.newestReady();
        if (newest.isEmpty()) {
            return new Build(Cause.NEVER_BUILT);
        }
        if (!Set.copyOf(newest.get().formats()).containsAll(wish.formats())) {
            return new Build(Cause.FORMAT_MISSING);
        }
        Instant due = newest.get().stateTime().plus(wish.image().rebuildAge());
        return due.isAfter(now) ? new Rest("fresh", Optional.of(due)) : new Build(Cause.TOO_OLD);
    }

    private static Rest rest(String why) {
        return new Rest(why, Optional.empty());
    }
}
