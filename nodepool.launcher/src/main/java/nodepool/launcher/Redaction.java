package nodepool.launcher;

import java.util.Set;
import nodepool.api.driver.CloudException;
import nodepool.api.verdict.Reason;

/**
 * Takes a provider's credentials out of what its driver says, before anybody else hears it. Drivers should not say them; but
 * libraries, and clouds that echo what they refuse, do.
 *
 * @param secrets of the provider's entry in the configuration
 */
record Redaction(Set<String> secrets) {

    /** What is shorter is too much part of other words, and no secret. */
    private static final int SHORTEST = 4;

    private static final String INSTEAD = "(secret)";

    Redaction {
        secrets = Set.copyOf(secrets);
    }

    String clean(String text) {
        String cleaned = text;
        for (String secret : secrets) {
            if (secret.length() >= SHORTEST) {
                cleaned = cleaned.replace(secret, INSTEAD);
            }
        }
        return cleaned;
    }

    Reason clean(Reason reason) {
        return Reason.of(reason.code(), clean(reason.detail()));
    }

    /** The failure itself if it says nothing secret; otherwise one with the same fault and stack trace that does not. */
    Throwable clean(Throwable failure) {
        if (!saysSecret(failure)) {
            return failure;
        }
        CloudException told = failure instanceof CloudException cloud
                ? withRetry(cloud)
                : new CloudException(CloudException.Fault.TRANSIENT, clean(failure.toString()));
        told.setStackTrace(failure.getStackTrace());
        return told;
    }

    private CloudException withRetry(CloudException cloud) {
        String message = clean(String.valueOf(cloud.getMessage()));
        return cloud.retryAfter()
                .map(after -> new CloudException(cloud.fault(), message, after))
                .orElseGet(() -> new CloudException(cloud.fault(), message));
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
