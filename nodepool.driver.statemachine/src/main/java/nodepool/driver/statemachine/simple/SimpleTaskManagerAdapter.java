package nodepool.driver.statemachine.simple;

import java.util.List;
import java.util.Map;
import nodepool.api.driver.CloudException;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.statemachine.CloudLabel;
import nodepool.driver.statemachine.taskmanager.TaskManager;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * The calls to one simple cloud. All are made in the task manager's thread, one at a time; the remote part of each goes inside
 * {@link TaskManager#rateLimit}.
 */
@ConsumerType
public interface SimpleTaskManagerAdapter {

    /** Makes a machine that carries the metadata, and tells its id. */
    String createInstance(TaskManager manager, String hostname, Map<String, String> metadata, CloudLabel label)
            throws CloudException;

    /** Asks the cloud to remove a machine. Asking again does no harm. */
    void deleteInstance(TaskManager manager, String externalId) throws CloudException;

    /** Every machine in the account, not only ours. */
    List<? extends SimpleTaskManagerInstance> listInstances(TaskManager manager) throws CloudException;

    /** The account's limits. */
    default QuotaInformation getQuotaLimits(TaskManager manager) throws CloudException {
        return QuotaInformation.UNLIMITED;
    }

    /** What one machine of that label uses. */
    default QuotaInformation getQuotaForLabel(TaskManager manager, CloudLabel label) throws CloudException {
        return QuotaInformation.needs(0, 1, 0);
    }
}
