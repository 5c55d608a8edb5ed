package nodepool.driver.openstack;

import java.util.Optional;
import java.util.function.Consumer;
import nodepool.driver.openstack.clouds.CloudFiles;
import nodepool.driver.openstack.clouds.CloudResolver;
import nodepool.driver.openstack.clouds.CloudSettings;
import nodepool.driver.openstack.clouds.CloudsException;
import nodepool.driver.openstack.http.CallFailure;
import nodepool.driver.openstack.http.OpenStackClient;

/**
 * What {@code clouds.yaml} says about a provider's cloud. Part of the provider's identity: changed credentials make another
 * provider at the next reload.
 *
 * @param settings absent if there is a problem
 * @param problem why there are none; empty if there are
 */
record ChosenCloud(Optional<CloudSettings> settings, String problem) {

    /** Reads the files now, and those they name: certificates and keys. */
    static ChosenCloud read(CloudFiles files, String cloud, Optional<String> region, Consumer<String> warnings) {
        try {
            CloudSettings settings = new CloudResolver(files.read(), warnings).resolve(cloud, region);
            OpenStackClient.requireUsable(settings);
            return new ChosenCloud(Optional.of(settings), "");
        } catch (CloudsException | CallFailure unusable) {
            return new ChosenCloud(Optional.empty(), String.valueOf(unusable.getMessage()));
        }
    }
}
