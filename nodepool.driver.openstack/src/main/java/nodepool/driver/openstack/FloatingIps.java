package nodepool.driver.openstack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Launch;
import nodepool.driver.openstack.cloud.Networking;
import nodepool.driver.openstack.cloud.Networking.FloatingIp;
import nodepool.driver.openstack.cloud.Networking.Network;
import nodepool.driver.openstack.cloud.Networking.Port;
import nodepool.driver.openstack.cloud.Server;
import nodepool.driver.openstack.clouds.CloudSettings;

/** Gives floating IPs to servers that need one, and finds them again. Thread-safe; blocks. */
final class FloatingIps {

    private final CloudSettings.Networks settings;
    private final Networking networking;
    private final Inventory inventory;

    FloatingIps(CloudSettings.Networks settings, Networking networking, Inventory inventory) {
        this.settings = settings;
        this.networking = networking;
        this.inventory = inventory;
    }

    /** Whether this cloud has floating IPs that can be given. */
    boolean areGiven() throws CloudException {
        return settings.floatingIps() == CloudSettings.FloatingIpSource.NEUTRON
                && networking.isThere()
                && source().isPresent();
    }

    /** Whether that server, which is active, cannot be reached without one. */
    boolean isNeeded(Server server, AddressChoice addresses) throws CloudException {
        boolean hasInternal = server.addresses().stream().anyMatch(one -> one.version() == 4 && !one.floating());
        return hasInternal && !settings.preferPrivate() && !addresses.isPublic(server) && areGiven();
    }

    /** The one that leads to the server already, or a new one. */
    FloatingIp findOrMake(Server server) throws CloudException {
        List<Port> ports = networking.portsOf(server.id());
        Set<String> ids = ports.stream().map(Port::id).collect(Collectors.toSet());
        Optional<FloatingIp> before = inventory.floatingIps().fetch().stream()
                .filter(one -> one.port().filter(ids::contains).isPresent())
                .findFirst();
        if (before.isPresent()) {
            return before.get();
        }
        Port port = target(ports);
        String network = source().map(Network::id)
                .orElseThrow(() -> new CloudException(Fault.BAD_REQUEST, "no network gives floating IPs"));
        return networking.createFloatingIp(network, port, port.fixedIpv4().get(0), Ownership.text(server.metadata()));
    }

    /** The network floating IPs come from: the one named so, else the first that leads outside. */
    private Optional<Network> source() throws CloudException {
        List<Network> networks = inventory.networks();
        Optional<Network> named = settings.known().stream()
                .filter(CloudSettings.Network::natSource)
                .flatMap(known -> networks.stream().filter(one -> isCalled(one, known.name())))
                .findFirst();
        return named.isPresent()
                ? named
                : networks.stream().filter(Network::external).findFirst();
    }

    /** The port they lead to: in the network named so, else in the first out of which a gateway leads. */
    private Port target(List<Port> ports) throws CloudException {
        List<Port> withAddress =
                ports.stream().filter(port -> !port.fixedIpv4().isEmpty()).toList();
        Set<String> destinations = destinations();
        return withAddress.stream()
                .filter(port -> destinations.contains(port.network()))
                .findFirst()
                .orElseThrow(() -> new CloudException(
                        Fault.BAD_REQUEST,
                        "no port of the server is in a network that floating IPs lead to; name one with"
                                + " nat_destination in clouds.yaml"));
    }

    private Set<String> destinations() throws CloudException {
        List<String> named = settings.known().stream()
                .filter(CloudSettings.Network::natDestination)
                .map(CloudSettings.Network::name)
                .toList();
        return named.isEmpty()
                ? inventory.networksWithGateway()
                : inventory.networks().stream()
                        .filter(one -> named.stream().anyMatch(name -> isCalled(one, name)))
                        .map(Network::id)
                        .collect(Collectors.toSet());
    }

    private static boolean isCalled(Network network, String nameOrId) {
        return network.name().equals(nameOrId) || network.id().equals(nameOrId);
    }

    /** Those of a server: made for it, or shown among its addresses. */
    List<FloatingIp> of(Server server) throws CloudException {
        if (!areGiven()) {
            return List.of();
        }
        String mark = Ownership.text(server.metadata());
        boolean marked =
                !Ownership.metadata(mark).getOrDefault(Launch.NODE_ID, "").isEmpty();
        Set<String> shown = server.addresses().stream()
                .filter(Server.Address::floating)
                .map(Server.Address::ip)
                .collect(Collectors.toSet());
        List<FloatingIp> found = new ArrayList<>();
        for (FloatingIp one : inventory.floatingIps().fetch()) {
            if ((marked && one.description().equals(mark)) || shown.contains(one.address())) {
                found.add(one);
            }
        }
        return List.copyOf(found);
    }
}
