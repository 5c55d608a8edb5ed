package nodepool.driver.openstack.http;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Finds the failure of a call in what a future wraps around it. */
public final class Failures {

    private Failures() {}

    /** That failure; anything unexpected becomes one that says so. */
    public static CallFailure of(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof CallFailure failure
                ? failure
                : new CallFailure(CallFailure.Kind.NONSENSE, "unexpected: " + cause, cause);
    }
}
