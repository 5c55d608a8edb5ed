package nodepool.api.driver;

import java.time.Duration;
import java.util.Optional;

/** The one checked failure of the driver SPI. The fault says what the caller does next. */
public final class CloudException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What kind of failure it is. */
    public enum Fault {
        /** No room right now: wait for room at the same provider. Does not count as an attempt. */
        QUOTA("error.quota"),
        /** Asked too often: wait, then go on. Does not count as an attempt. */
        RATE_LIMIT("error.unknown"),
        /** The cloud has no hardware left: counts as an attempt. */
        CAPACITY("error.capacity"),
        /** Anything that may be different next time: counts as an attempt. */
        TRANSIENT("error.unknown"),
        /** It does not exist. Ends a removal well. */
        NOT_FOUND("error.unknown"),
        /** It can never work as asked. */
        BAD_REQUEST("error.unknown"),
        /** The credentials are not accepted. */
        UNAUTHORIZED("error.unknown"),
        /** The machine ended in an error state: counts as an attempt. */
        MACHINE_FAILED("error.status"),
        /** The machine has no usable address: counts as an attempt. */
        NO_ADDRESS("error.network"),
        /** Nobody answered at the machine's address, or not as expected: counts as an attempt. */
        KEY_SCAN("error.keyscan"),
        /** It took too long: counts as an attempt. */
        TIMEOUT("error.servercreatetimeout"),
        /** No image to start from: counts as an attempt. */
        NO_IMAGE("error.nodepool");

        private final String resultName;

        Fault(String resultName) {
            this.resultName = resultName;
        }

        /** The result's name in launch metrics. */
        public String resultName() {
            return resultName;
        }
    }

    private final Fault fault;
    private final transient Optional<Duration> retryAfter;

    public CloudException(Fault fault, String message) {
        super(message);
        this.fault = fault;
        this.retryAfter = Optional.empty();
    }

    public CloudException(Fault fault, String message, Throwable cause) {
        super(message, cause);
        this.fault = fault;
        this.retryAfter = Optional.empty();
    }

    /** With the cloud's own word on when to try again. */
    public CloudException(Fault fault, String message, Duration retryAfter) {
        super(message);
        this.fault = fault;
        this.retryAfter = Optional.of(retryAfter);
    }

    public Fault fault() {
        return fault;
    }

    /** The cloud's own word on when to try again. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
