package nodepool.api.driver;

import java.util.Set;
import nodepool.api.verdict.Reason;

/**
 * Takes a provider's credentials out of what its driver says, before anybody else hears it. Drivers should not say them; but
 * libraries, and clouds that echo what they refuse, do.
 *
 * @param secrets of the provider's entry in the configuration
 */
public record Redaction(Set<String> secrets) {

    /** Nothing is secret. */
    public static final Redaction NONE = new Redaction(Set.of());

    /** What is shorter is too much part of other words, and no secret. */
    private static final int SHORTEST = 4;

    private static final String INSTEAD = "(secret)";

    public Redaction {
        secrets = Set.copyOf(secrets);
    }

    /** With something else where a secret was. */
    public String clean(String text) {
        String cleaned = text;
        for (String secret : secrets) {
            if (secret.length() >= SHORTEST) {
                cleaned = cleaned.replace(secret, INSTEAD);
            }
        }
        return cleaned;
    }

    /** With something else where a secret was. */
    public Reason clean(Reason reason) {
        return Reason.of(reason.code(), clean(reason.detail()));
    }

    /** The failure itself if it says nothing secret; otherwise one with the same fault and stack trace that does not. */
    public Throwable clean(Throwable failure) {
        if (!saysSecret(failure)) {
            return failure;
        }
        if (failure instanceof CloudException cloud) {
            return clean(cloud);
        }
        CloudException told = new CloudException(CloudException.Fault.TRANSIENT, clean(failure.toString()));
        told.setStackTrace(failure.getStackTrace());
        return told;
    }

    /** The same for the SPI's own exception. */
    public CloudException clean(CloudException failure) {
        if (!saysSecret(failure)) {
            return failure;
        }
        String message = clean(String.valueOf(failure.getMessage()));
        CloudException told = failure.retryAfter()
                .map(after -> new CloudException(failure.fault(), message, after))
                .orElseGet(() -> new CloudException(failure.fault(), message));
        told.setStackTrace(failure.getStackTrace());
        return told;
    }

    private boolean saysSecret(Throwable failure) {
        for (Throwable one = failure; one != null; one = one.getCause()) {
            if (!clean(one.toString()).equals(one.toString())) {
                return true;
            }
        }
        return false;
    }
}
