package nodepool.launcher;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import nodepool.api.driver.CloudException;
import nodepool.api.store.SessionLostException;
import org.jspecify.annotations.Nullable;

/** Tells apart how an asynchronous call failed. */
final class Outcome {

    private Outcome() {}

    /** What was really thrown, without the wrapping of stages. */
    static Throwable cause(Throwable failure) {
        Throwable inner = failure;
        while (inner instanceof CompletionException && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /** Whether the session ended, so that everything held in it is lost. */
    static boolean isSessionLost(@Nullable Throwable failure) {
        return failure != null && cause(failure) instanceof SessionLostException;
    }

    /** The value of a call that may have failed or found nothing. */
    @SuppressWarnings("NullableOptional") // a failed stage has no value at all
    static <T> Optional<T> value(@Nullable Optional<T> value) {
        return value == null ? Optional.empty() : value;
    }

    /** A driver's failure as the SPI's exception; anything unforeseen counts as transient. */
    static CloudException asCloud(Throwable failure) {
        Throwable cause = cause(failure);
        return cause instanceof CloudException cloud
                ? cloud
                : new CloudException(CloudException.Fault.TRANSIENT, String.valueOf(cause), cause);
    }
}
