package nodepool.driver.statemachine.simple;

import java.util.Map;
import java.util.Optional;
import nodepool.api.quota.QuotaInformation;
import org.osgi.annotation.versioning.ConsumerType;

/** A machine of a simple cloud, as its author reads it from what the cloud says. An immutable value. */
@ConsumerType
public interface SimpleTaskManagerInstance {

    /** Whether it runs. */
    boolean ready();

    /** Whether it is gone, though still listed. */
    boolean deleted();

    String externalId();

    /** The address at which it is reached. */
    Optional<String> interfaceIp();

    /** As given when it was made. */
    Map<String, String> metadata();

    default Optional<String> publicIpv4() {
        return Optional.empty();
    }

    default Optional<String> publicIpv6() {
        return Optional.empty();
    }

    default Optional<String> privateIpv4() {
        return Optional.empty();
    }

    default Optional<String> az() {
        return Optional.empty();
    }

    default Optional<String> region() {
        return Optional.empty();
    }

    /** What it uses. */
    default QuotaInformation getQuotaInformation() {
        return QuotaInformation.needs(0, 1, 0);
    }
}
