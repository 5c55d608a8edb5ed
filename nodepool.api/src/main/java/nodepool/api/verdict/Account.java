package nodepool.api.verdict;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one pool of one launcher has to say about one request: its current answer, and what it has done so far. Kept in a tree
 * of our own while the request exists, and for some time after a failure.
 *
 * @param requestId of the request
 * @param provider of the pool
 * @param pool its name
 * @param launcherId of the pool, as in a request's {@code declinedBy}
 * @param verdict its current answer
 * @param since when it gave this answer first
 * @param timeline what happened, oldest first; at most {@value #LONGEST} moments, the first and the latest
 */
public record Account(
        String requestId,
        String provider,
        String pool,
        String launcherId,
        Verdict verdict,
        Instant since,
        List<Moment> timeline) {

    /** Moments that are kept. */
    public static final int LONGEST = 100;

    /** What can happen to a request or to one of its nodes in a pool. */
    public enum What {
        ACCEPTED,
        TAKEN_OVER,
        NODE_REUSED,
        NODE_BUILDING,
        NODE_RESUMED,
        NODE_SCANNING,
        NODE_READY,
        NODE_WITHDRAWN,
        LAUNCH_FAILED,
        FULFILLED,
        DECLINED,
        GIVEN_BACK,
        LEFT,
        DISAPPEARED;

        /** As it is stored and shown. */
        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * One thing that happened.
     *
     * @param at when
     * @param what it was
     * @param nodeId the node it is about
     * @param detail in words for a reader; may be empty
     * @param console the end of the machine's console output, for a failed launch
     */
    public record Moment(Instant at, What what, Optional<String> nodeId, String detail, Optional<String> console) {

        /** About the request as a whole. */
        public static Moment of(Instant at, What what, String detail) {
            return new Moment(at, what, Optional.empty(), detail, Optional.empty());
        }

        /** About one node. */
        public static Moment of(Instant at, What what, String nodeId, String detail) {
            return new Moment(at, what, Optional.of(nodeId), detail, Optional.empty());
        }
    }

    public Account {
        timeline = timeline.size() <= LONGEST ? List.copyOf(timeline) : shortened(timeline);
    }

    private static List<Moment> shortened(List<Moment> timeline) {
        List<Moment> kept = new java.util.ArrayList<>(timeline.subList(0, LONGEST / 2));
        kept.addAll(timeline.subList(timeline.size() - LONGEST / 2, timeline.size()));
        return List.copyOf(kept);
    }

    /** With another answer. */
    public Account with(Verdict answer, Instant at) {
        return new Account(requestId, provider, pool, launcherId, answer, at, timeline);
    }

    /** With one more moment. */
    public Account with(Moment moment) {
        List<Moment> longer = new java.util.ArrayList<>(timeline);
        longer.add(moment);
        return new Account(requestId, provider, pool, launcherId, verdict, since, longer);
    }
}
