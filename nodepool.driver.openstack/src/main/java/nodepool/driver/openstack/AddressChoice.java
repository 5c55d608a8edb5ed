package nodepool.driver.openstack;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import nodepool.api.node.Node;
import nodepool.driver.openstack.cloud.Networking.Network;
import nodepool.driver.openstack.cloud.Server;
import nodepool.driver.openstack.cloud.Server.Address;
import nodepool.driver.openstack.clouds.CloudSettings;

/** Which of a server's addresses is which, and at which one it is reached. A function of its arguments. */
final class AddressChoice {

    /** Networks of version 4 that are not routed in public. */
    private static final Pattern LOCAL = Pattern.compile(
            "(10|127)\\..*|192\\.168\\..*|169\\.254\\..*|172\\.(1[6-9]|2\\d|3[01])\\..*|100\\.(6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])\\..*");

    private final CloudSettings.Networks settings;
    private final boolean reachesVersion6;
    private final Set<String> external;

    /**
     * @param networks the cloud's
     * @param reachesVersion6 whether this machine has a way to addresses of version 6
     */
    AddressChoice(CloudSettings.Networks settings, List<Network> networks, boolean reachesVersion6) {
        this.settings = settings;
        this.reachesVersion6 = reachesVersion6;
        Set<String> internalByHand = settings.known().stream()
                .filter(known -> !known.external())
                .map(CloudSettings.Network::name)
                .collect(Collectors.toSet());
        Stream<String> byHand = settings.known().stream()
                .filter(CloudSettings.Network::external)
                .map(CloudSettings.Network::name);
        Stream<String> byCloud = networks.stream()
                .filter(Network::external)
                .map(Network::name)
                .filter(Predicate.not(internalByHand::contains));
        this.external = Stream.concat(byHand, byCloud).collect(Collectors.toSet());
    }

    /** @param floating the server's floating IP, which compute may not know of yet */
    Node.Addresses choose(Server server, Optional<String> floating) {
        Optional<String> publicV4 = publicV4(server, floating);
        Optional<String> publicV6 = publicV6(server);
        Optional<String> privateV4 = privateV4(server);
        return new Node.Addresses(
                reached(server, publicV4, publicV6, privateV4), publicV4, privateV4.or(() -> publicV4), publicV6);
    }

    /** Whether a server without a floating IP can be reached from outside all the same. */
    boolean isPublic(Server server) {
        return publicV4(server, Optional.empty()).isPresent();
    }

    private Optional<String> publicV4(Server server, Optional<String> floating) {
        if (!settings.useExternal()) {
            return Optional.empty();
        }
        return server.access()
                .ipv4()
                .or(() -> first(server, address -> address.version() == 4 && external.contains(address.network())))
                .or(() -> floating)
                .or(() -> first(server, Address::floating))
                .or(() -> first(
                        server,
                        address -> address.version() == 4 && address.network().equals("public")))
                .or(() -> first(
                        server,
                        address -> address.version() == 4
                                && !LOCAL.matcher(address.ip()).matches()));
    }

    private Optional<String> publicV6(Server server) {
        return settings.ipv4Only()
                ? Optional.empty()
                : server.access().ipv6().or(() -> first(server, address -> address.version() == 6));
    }

    private Optional<String> privateV4(Server server) {
        return settings.useInternal()
                ? first(
                        server,
                        address ->
                                address.version() == 4 && !address.floating() && !external.contains(address.network()))
                : Optional.empty();
    }

    private Optional<String> reached(
            Server server, Optional<String> publicV4, Optional<String> publicV6, Optional<String> privateV4) {
        boolean version6 = reachesVersion6 && !settings.ipv4Only();
        Optional<String> byHand = settings.known().stream()
                .filter(CloudSettings.Network::defaultInterface)
                .findFirst()
                .flatMap(network -> inNetwork(server, network.name(), version6));
        if (byHand.isPresent()) {
            return byHand;
        }
        if (settings.preferPrivate() && privateV4.isPresent()) {
            return privateV4;
        }
        return version6 && publicV6.isPresent() ? publicV6 : publicV4.or(() -> privateV4);
    }

    private static Optional<String> inNetwork(Server server, String network, boolean version6) {
        Predicate<Address> there = address -> address.network().equals(network) && !address.floating();
        Optional<String> v6 = version6 ? first(server, there.and(address -> address.version() == 6)) : Optional.empty();
        return v6.or(() -> first(server, there.and(address -> address.version() == 4)));
    }

    private static Optional<String> first(Server server, Predicate<Address> wanted) {
        return server.addresses().stream().filter(wanted).map(Address::ip).findFirst();
    }
}
