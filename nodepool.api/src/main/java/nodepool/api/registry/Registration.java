package nodepool.api.registry;

import java.util.List;
import java.util.Optional;

/**
 * What a running part of Nodepool tells the others about itself.
 *
 * @param hostname of its machine
 * @param kind what it is
 * @param modelApi version of the data model it speaks; 0 everywhere
 * @param state {@code initializing}, {@code running}, {@code paused} or {@code stopped}; not a sign of life
 * @param version its release; absent when unknown
 * @param pool what a pool adds; absent for other kinds
 */
public record Registration(
        String hostname, Kind kind, int modelApi, String state, Optional<String> version, Optional<Pool> pool) {

    /** What registers. */
    public enum Kind {
        POOL("pool"),
        LAUNCHER("launcher"),
        BUILDER("builder");

        private final String wireName;

        Kind(String wireName) {
            this.wireName = wireName;
        }

        /** The word in the stored document and in its path. */
        public String wireName() {
            return wireName;
        }
    }

    /**
     * One provider pool of one launcher, the unit that accepts or declines.
     *
     * @param id launcher id, as in a request's {@code declinedBy}
     * @param name of the pool; absent for launchers before March 2024
     * @param provider name of the provider
     * @param supportedLabels labels of this pool only
     * @param priority lower is preferred
     * @param paused at quota, not accepting
     */
    public record Pool(
            String id,
            Optional<String> name,
            String provider,
            List<String> supportedLabels,
            int priority,
            boolean paused) {
        public Pool {
            supportedLabels = List.copyOf(supportedLabels);
        }
    }
}
