package nodepool.api.monitor;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Says how one part of the process is. Any bundle may register some as services. Thread-safe; must return at once, from what is
 * known already.
 */
@ConsumerType
@FunctionalInterface
public interface HealthCheck {

    /** What is known now; a part with several things to say of itself gives several. */
    List<Health> check();

    /**
     * How a part is.
     *
     * @param part which one: {@code zookeeper}, {@code provider east}
     * @param status how it is
     * @param text in words for an operator: the facts if it is well, else what is wrong. No secrets
     */
    record Health(String part, Status status, String text) {

        public static Health ok(String part, String text) {
            return new Health(part, Status.OK, text);
        }

        public static Health starting(String part, String text) {
            return new Health(part, Status.STARTING, text);
        }

        public static Health degraded(String part, String text) {
            return new Health(part, Status.DEGRADED, text);
        }

        public static Health failed(String part, String text) {
            return new Health(part, Status.FAILED, text);
        }
    }

    /** How a part can be, from good to bad. */
    enum Status {
        OK,
        /** Works, but somebody should look. */
        DEGRADED,
        /** Not there yet. */
        STARTING,
        /** Does not work. */
        FAILED;

        /** Whether requests can be served all the same. */
        public boolean isReady() {
            return this == OK || this == DEGRADED;
        }
    }
}
