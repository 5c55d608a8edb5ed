package nodepool.driver.openstack.http;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** A call did not do what it should. Its message holds no credential. */
public final class CallFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** How it failed. */
    public enum Kind {
        /** The service said no; there is a status. */
        REFUSED,
        /** Nobody could be reached; the request did not arrive. */
        UNREACHABLE,
        /** The server's certificate, or ours, is not accepted. */
        UNTRUSTED,
        /** The connection broke after the request was sent, at least in part. */
        CUT_OFF,
        /** No answer until the deadline. */
        TIMEOUT,
        /** The catalog does not have the service. */
        NO_SERVICE,
        /** The answer makes no sense. */
        NONSENSE,
        /** The client was closed. */
        CLOSED
    }

    private final Kind kind;
    private final int status;
    private final boolean login;
    private final transient Optional<Duration> retryAfter;

    private CallFailure(
            Kind kind, int status, boolean login, Optional<Duration> retryAfter, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.status = status;
        this.login = login;
        this.retryAfter = retryAfter;
    }

    CallFailure(Kind kind, String message, Throwable cause) {
        this(kind, 0, false, Optional.empty(), message, cause);
    }

    @SuppressWarnings("NullAway") // a cause may be absent; java.lang.Throwable says so with null
    CallFailure(Kind kind, String message) {
        this(kind, 0, false, Optional.empty(), message, null);
    }

    @SuppressWarnings("NullAway")
    private CallFailure(int status, boolean login, Optional<Duration> retryAfter, String message) {
        this(Kind.REFUSED, status, login, retryAfter, message, null);
    }

    /** The service's answer was a no. */
    static CallFailure refused(String what, Reply reply, boolean login) {
        String id = reply.header("x-openstack-request-id")
                .or(() -> reply.header("x-compute-request-id"))
                .map(found -> " (" + found + ")")
                .orElse("");
        return new CallFailure(
                reply.status(),
                login,
                Retries.retryAfter(reply),
                "%s: %d %s%s".formatted(what, reply.status(), FailureText.of(reply), id));
    }

    public Kind kind() {
        return kind;
    }

    /** Of HTTP, if the service answered. */
    public OptionalInt status() {
        return kind == Kind.REFUSED ? OptionalInt.of(status) : OptionalInt.empty();
    }

    /** Whether the service answered with that status. */
    public boolean isStatus(int wanted) {
        return kind == Kind.REFUSED && status == wanted;
    }

    /** Whether it was the login that failed, not the call itself. */
    public boolean isLogin() {
        return login;
    }

    /** The service's own word on when to try again. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /**
     * Whether the service may have done what it was asked, all the same: the answer is lost, or comes from something in
     * between.
     */
    public boolean mayBeDone() {
        return switch (kind) {
            case CUT_OFF, TIMEOUT, NONSENSE, CLOSED -> true;
            case REFUSED -> !login && status >= 500;
            case UNREACHABLE, UNTRUSTED, NO_SERVICE -> false;
        };
    }
}
