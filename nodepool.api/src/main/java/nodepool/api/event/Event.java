package nodepool.api.event;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.driver.CloudException;
import nodepool.api.request.RequestState;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;

/**
 * Something that happened in a launcher or a builder. Every event names what it is about by the ids of the stored records.
 * There will be more kinds: whoever listens passes over those it does not know.
 */
public sealed interface Event {

    /** A pool's answer to a request has changed. */
    record Judged(String requestId, String provider, String pool, Verdict verdict) implements Event {}

    /** A pool has brought a request to another state. */
    record RequestChanged(String requestId, String provider, String pool, RequestState state) implements Event {}

    /** A node became ready. */
    record NodeReady(String nodeId, String provider, String pool, String label, int attempts, Duration took)
            implements Event {}

    /** One attempt to launch a node failed; {@code last} if there will be no other. */
    record LaunchFailed(
            String nodeId,
            String provider,
            String pool,
            String label,
            int attempt,
            boolean last,
            Reason reason,
            Duration took,
            Optional<String> console)
            implements Event {}

    /**
     * One attempt to launch a node has ended, well or not.
     *
     * @param zone the cloud's zone, as far as one is known
     * @param image name of the managed image or of the cloud's image it starts from
     * @param requestor on whose behalf
     * @param result {@code ready}, or the fault's name in launch metrics: {@code error.quota}
     * @param took since the first step of the first attempt
     */
    record LaunchEnded(
            String nodeId,
            String provider,
            String pool,
            String label,
            Optional<String> zone,
            Optional<String> image,
            Optional<String> requestor,
            String result,
            Duration took)
            implements Event {}

    /** A node's machine can be reached, as far as the cloud says; its host keys are gathered next. */
    record MachineUp(String nodeId, String provider, String pool, String label, Duration took) implements Event {}

    /** A pool has looked at everything it has to do. */
    record PoolPassed(String provider, String pool, Duration took) implements Event {}

    /**
     * A driver has called its cloud.
     *
     * @param call the operation of the driver
     * @param fault how it failed; absent if it did not
     */
    record CloudCalled(String provider, String call, Optional<CloudException.Fault> fault, Duration took)
            implements Event {}

    /**
     * One HTTP request to a cloud's service has ended.
     *
     * @param service word for the service: {@code compute}
     * @param operation the path without ids, its words joined by underscores: {@code servers}
     * @param status of the answer; absent if there was none
     */
    record ApiCalled(
            String provider, String service, String method, String operation, OptionalInt status, Duration took)
            implements Event {}

    /** A node and its machine are gone. */
    record NodeGone(String nodeId, String provider) implements Event {}

    /** Something that carried our mark and that no record knew was removed; {@code kind} is a plural: {@code instances}. */
    record LeakRemoved(String provider, String kind, String externalId) implements Event {}

    /**
     * A build has ended.
     *
     * @param ready whether it can be uploaded
     * @param status of the image command, if it came to an end by itself; 1 if it took too long
     * @param sizes bytes that the files occupy, by format; of a ready build
     */
    record BuildEnded(
            String image, String buildId, boolean ready, OptionalInt status, Duration took, Map<String, Long> sizes)
            implements Event {
        public BuildEnded {
            sizes = Map.copyOf(sizes);
        }
    }

    /** An upload has ended. */
    record UploadEnded(String image, String buildId, String provider, String uploadId, boolean ready, Duration took)
            implements Event {}

    /**
     * Which images a builder builds right now; told after it has looked for what to do.
     *
     * @param hostname of the builder, fully qualified
     * @param workers builds it can make at the same time
     */
    record Building(String hostname, int workers, Set<String> images) implements Event {
        public Building {
            images = Set.copyOf(images);
        }
    }

    /**
     * What a builder uploads right now; told after it has looked for what to do.
     *
     * @param hostname of the builder, fully qualified
     * @param workers uploads it can make at the same time, besides the first of each provider
     */
    record Uploading(String hostname, int workers, Set<Route> routes) implements Event {

        /** One upload under way. */
        public record Route(String buildId, String provider) {}

        public Uploading {
            routes = Set.copyOf(routes);
        }
    }

    /** A provider came up, went away or failed. Absent means it is well. */
    record ProviderChanged(String provider, Optional<Reason> trouble) implements Event {}
}
