package nodepool.driver.openstack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.openstack.cloud.BlockStorage;
import nodepool.driver.openstack.cloud.BlockStorage.Volume;
import nodepool.driver.openstack.cloud.Compute;
import nodepool.driver.openstack.cloud.Flavor;
import nodepool.driver.openstack.cloud.Images;
import nodepool.driver.openstack.cloud.Images.Image;
import nodepool.driver.openstack.cloud.Networking;
import nodepool.driver.openstack.cloud.Networking.FloatingIp;
import nodepool.driver.openstack.cloud.Networking.Network;
import nodepool.driver.openstack.cloud.Server;
import nodepool.driver.statemachine.CachedListing;

/**
 * What there is in the cloud, asked for once for all who want to know: servers, volumes and floating IPs anew whenever somebody
 * waits for them, flavors, images and networks once an hour. Thread-safe.
 */
final class Inventory {

    /** Shorter than the pause between two looks at a server, so that every look sees something new. */
    private static final Duration FRESH = Duration.ofMillis(400);

    private static final Duration USABLE = Duration.ofMinutes(5);
    private static final String ALL = "all";

    private final Compute compute;
    private final Networking networking;
    private final Images imageService;
    private final CachedListing<List<Server>> servers;
    private final CachedListing<List<Volume>> volumes;
    private final CachedListing<List<FloatingIp>> floatingIps;
    private final Known<List<Flavor>> flavors;
    private final Known<List<Network>> networks;
    private final Known<Set<String>> gateways;
    private final Known<Image> images;

    /** The services of one cloud. */
    record Services(Compute compute, Networking networking, Images images, BlockStorage volumes) {}

    Inventory(String provider, Services services, Executor executor, LongSupplier nanoTime) {
        this.compute = services.compute();
        this.networking = services.networking();
        this.imageService = services.images();
        this.servers = new CachedListing<>(provider + " servers", FRESH, USABLE, compute::servers, executor, nanoTime);
        this.volumes = new CachedListing<>(
                provider + " volumes", FRESH, USABLE, services.volumes()::volumes, executor, nanoTime);
        this.floatingIps = new CachedListing<>(
                provider + " floating IPs", FRESH, USABLE, networking::floatingIps, executor, nanoTime);
        this.flavors = new Known<>(nanoTime);
        this.networks = new Known<>(nanoTime);
        this.gateways = new Known<>(nanoTime);
        this.images = new Known<>(nanoTime);
    }

    CachedListing<List<Server>> servers() {
        return servers;
    }

    CachedListing<List<FloatingIp>> floatingIps() {
        return floatingIps;
    }

    /** The cloud has refused a server as wrongly asked for: what we know of it may be old. */
    void forget() {
        flavors.forget();
        networks.forget();
        gateways.forget();
        images.forget();
    }

    /** The flavor a label asks for. */
    Flavor flavor(OpenStackLabel label) throws CloudException {
        Optional<Flavor> found = flavors.get(
                        label.name(),
                        () -> FlavorChoice.choose(label.flavor(), allFlavors()).map(List::of))
                .map(list -> list.get(0));
        return found.orElseThrow(() -> new CloudException(
                Fault.BAD_REQUEST, "Unable to find flavor for label " + label.name() + ": " + label.flavor()));
    }

    private List<Flavor> allFlavors() throws CloudException {
        return flavors.get(ALL + " flavors", () -> Optional.of(compute.flavors()))
                .orElse(List.of());
    }

    /** The ids of networks given by name or id, in their order. */
    List<String> networkIds(List<String> wanted) throws CloudException {
        List<String> ids = new ArrayList<>();
        for (String one : wanted) {
            ids.add(networks.get(one, () -> Optional.of(matching(one)).filter(found -> !found.isEmpty()))
                    .map(found -> found.get(0).id())
                    .orElseThrow(() -> new CloudException(Fault.BAD_REQUEST, "Unable to find network " + one)));
        }
        return List.copyOf(ids);
    }

    private List<Network> matching(String nameOrId) throws CloudException {
        List<Network> found = networking.networks().stream()
                .filter(network ->
                        network.id().equals(nameOrId) || network.name().equals(nameOrId))
                .toList();
        if (found.size() > 1 && found.stream().noneMatch(network -> network.id().equals(nameOrId))) {
            throw new CloudException(
                    Fault.BAD_REQUEST, "There are " + found.size() + " networks with the name " + nameOrId);
        }
        return found;
    }

    /** All networks. */
    List<Network> networks() throws CloudException {
        return networks.get(ALL + " networks", () -> Optional.of(networking.networks()))
                .orElse(List.of());
    }

    /** Ids of the networks out of which a gateway leads. */
    Set<String> networksWithGateway() throws CloudException {
        return gateways.get(ALL, () -> Optional.of(networking.networksWithGateway()))
                .orElse(Set.of());
    }

    /** The usable image with that id, name or pattern; a missing one is asked for again after a minute. */
    Optional<Image> image(String wanted) throws CloudException {
        return images.get(wanted, () -> ImageLookup.find(imageService, wanted));
    }

    /** What a flavor and volumes amount to. */
    QuotaInformation need(Flavor flavor, int volumeCount, int volumeGb) {
        return amounts(flavor.cores(), flavor.ramMib(), volumeCount, volumeGb);
    }

    /** What a server uses. One whose flavor is gone counts as one server and nothing else. */
    QuotaInformation use(Server server) throws CloudException {
        Server.Size size = server.flavor().embedded().orElse(new Server.Size(0, 0));
        Optional<String> id = server.flavor().id();
        if (id.isPresent()) {
            size = allFlavors().stream()
                    .filter(flavor -> flavor.id().equals(id.get()))
                    .findFirst()
                    .map(flavor -> new Server.Size(flavor.cores(), flavor.ramMib()))
                    .orElse(size);
        }
        List<Volume> known = server.volumes().isEmpty() ? List.of() : volumes.get();
        int gb = known.stream()
                .filter(volume -> server.volumes().contains(volume.id()))
                .mapToInt(Volume::gb)
                .sum();
        return amounts(size.cores(), size.ramMib(), server.volumes().size(), gb);
    }

    private static QuotaInformation amounts(int cores, int ramMib, int volumeCount, int volumeGb) {
        Map<String, Double> amounts = new HashMap<>();
        amounts.put(QuotaInformation.INSTANCES, 1.0);
        amounts.put(QuotaInformation.CORES, (double) cores);
        amounts.put(QuotaInformation.RAM, (double) ramMib);
        if (volumeCount > 0) {
            amounts.put(QuotaInformation.VOLUMES, (double) volumeCount);
            amounts.put(QuotaInformation.VOLUME_GB, (double) volumeGb);
        }
        return QuotaInformation.needs(amounts);
    }
}
