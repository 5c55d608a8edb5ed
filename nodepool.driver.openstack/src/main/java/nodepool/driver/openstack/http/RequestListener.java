package nodepool.driver.openstack.http;

import java.time.Duration;
import java.util.OptionalInt;
import nodepool.driver.openstack.clouds.Service;

/** Hears of every HTTP request when it is over, each try by itself. Called on the client's threads: returns at once. */
@FunctionalInterface
public interface RequestListener {

    /**
     * A request is over.
     *
     * @param operation see {@link OperationName}
     * @param status of HTTP; absent: there was no answer
     */
    void ended(Service service, String method, String operation, OptionalInt status, Duration took);
}
