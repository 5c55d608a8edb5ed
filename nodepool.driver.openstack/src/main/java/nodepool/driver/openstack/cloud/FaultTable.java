package nodepool.driver.openstack.cloud;

import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.openstack.http.CallFailure;
import nodepool.driver.statemachine.Faults;

/** What OpenStack's refusals, and the faults of its servers, mean for a launch. */
public final class FaultTable {

    /** Texts first, then statuses. Words for a full quota differ between services and their releases. */
    private static final Faults TABLE = Faults.USUAL
            .with("is over the (limit|quota)|number of ports exceeded|over ?quota", Fault.QUOTA)
            .with("maximum number of retries", Fault.CAPACITY)
            .with("multiple possible networks", Fault.BAD_REQUEST);

    private FaultTable() {}

    /** What a call that failed means. */
    public static CloudException of(CallFailure failure) {
        String message = String.valueOf(failure.getMessage());
        Fault fault = switch (failure.kind()) {
            case REFUSED ->
                failure.isLogin() ? login(failure) : TABLE.of(failure.status().orElse(0), message);
            case UNTRUSTED -> Fault.UNAUTHORIZED;
            case NO_SERVICE -> Fault.BAD_REQUEST;
            case CLOSED -> Fault.RATE_LIMIT;
            case UNREACHABLE, CUT_OFF, TIMEOUT, NONSENSE -> Fault.TRANSIENT;
        };
        return fault == Fault.RATE_LIMIT && failure.retryAfter().isPresent()
                ? new CloudException(fault, message, failure.retryAfter().get())
                : new CloudException(fault, message, failure);
    }

    /** An address that answers, but is no identity service, is as wrong as a password that is. */
    private static Fault login(CallFailure failure) {
        int status = failure.status().orElse(0);
        if (status == 429) {
            return Fault.RATE_LIMIT;
        }
        return status >= 500 ? Fault.TRANSIENT : Fault.UNAUTHORIZED;
    }

    /** What the fault of a server in the state ERROR means. */
    public static Fault ofServer(String text) {
        return TABLE.ofMachine(text);
    }
}
