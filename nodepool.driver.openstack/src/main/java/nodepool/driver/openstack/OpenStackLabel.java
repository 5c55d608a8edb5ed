package nodepool.driver.openstack;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.driver.LabelConfig;
import nodepool.api.node.Node;

/**
 * How a pool launches one label.
 *
 * @param flavor what the server must be
 * @param keyName key pair of the cloud
 * @param consoleLog whether the console of servers that fail is logged
 * @param volumeSize GB of the root volume; absent: no volume
 * @param properties of servers
 * @param dynamicProperties of servers, each a {@link Template}
 * @param userData for cloud-init
 * @param networks the label's own or the pool's
 */
record OpenStackLabel(
        String name,
        Optional<String> diskImage,
        Optional<String> cloudImage,
        boolean hostKeyChecking,
        Node.Connection connection,
        Flavor flavor,
        Optional<String> keyName,
        boolean consoleLog,
        OptionalInt volumeSize,
        Map<String, String> properties,
        Map<String, String> dynamicProperties,
        Optional<String> userData,
        List<String> networks)
        implements LabelConfig {

    /**
     * Which flavor to take.
     *
     * @param minRam MiB; absent: {@code name} is exact
     * @param name name or id, or a part of the name
     */
    record Flavor(OptionalInt minRam, Optional<String> name) {}

    OpenStackLabel {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        dynamicProperties = Collections.unmodifiableMap(new LinkedHashMap<>(dynamicProperties));
        networks = List.copyOf(networks);
    }
}
