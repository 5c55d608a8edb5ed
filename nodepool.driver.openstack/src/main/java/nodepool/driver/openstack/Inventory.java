package nodepool.driver.openstack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What there is in the cloud, asked for once for all who want to know: servers, volumes and floating IPs anew whenever somebody
 * waits for them, flavors, images and networks once an hour. Thread-safe.
 */
final class Inventory {

    /** Shorter than the pause between two looks at a server, so that every look sees something new. */
    private static final Duration FRESH = Duration.ofMillis(400);

    private static final Duration USABLE = Duration.ofMinutes(5);
    private static final String ALL = "all";

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.openstack");

    private final String provider;
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
        this.provider = provider;
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

    /** A server as it was listed some time ago; absent as well if there is no listing. */
    Optional<Server> server(String id) {
        try {
            return Server.listed(servers.get(), id);
        } catch (CloudException e) {
            log.warn("Servers of provider {} cannot be listed: {}", provider, e.getMessage());
            return Optional.empty();
        }
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
                        () -> FlavorChoice.choose(label.flavor(), flavors()).map(List::of))
                .map(list -> list.get(0));
        return found.orElseThrow(() -> new CloudException(
                Fault.BAD_REQUEST, "Unable to find flavor for label " + label.name() + ": " + label.flavor()));
    }

    /** Everything the project may use. */
    List<Flavor> flavors() throws CloudException {
        return flavors.get(ALL + " flavors", () -> Optional.of(compute.flavors()))
                .orElse(List.of());
    }

    /** Every volume of the project, as it was some time ago. */
    List<Volume> volumes() throws CloudException {
        return volumes.get();
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
}
