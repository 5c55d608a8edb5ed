package nodepool.driver.openstack.clouds;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything {@code clouds.yaml} says about one region of one cloud. Two are equal when nothing in them differs, secrets
 * included.
 *
 * @param name of the cloud, as in the file
 * @param region absent: the catalog's only one
 * @param authentication how to log in
 * @param tls how to check the servers' certificates, and our own one
 * @param timeout for one HTTP request; absent: the client's own
 * @param services what is said about each service
 * @param images how images are stored there
 * @param networks how servers are reached there
 */
public record CloudSettings(
        String name,
        Optional<String> region,
        Authentication authentication,
        Tls tls,
        Optional<Duration> timeout,
        Map<Service, Endpoint> services,
        Images images,
        Networks networks) {

    /**
     * How connections are protected.
     *
     * @param verify whether certificates are checked at all
     * @param authorities PEM file to check them with; absent: the platform's own
     * @param certificate our own, PEM
     * @param key of {@code certificate}, PEM; absent: in the same file
     */
    public record Tls(boolean verify, Optional<Path> authorities, Optional<Path> certificate, Optional<Path> key) {}

    /**
     * Where and how one service is talked to.
     *
     * @param override address to use instead of the catalog's
     * @param interfaces of the catalog, in the order to try them
     * @param type to look for in the catalog instead of the usual ones
     * @param serviceName to look for in the catalog, if several services have one type
     * @param microversion to ask for in every request
     * @param connectRetries how often a connection is tried again
     * @param statusRetries how often a request is tried again that was answered with 503
     */
    public record Endpoint(
            Optional<String> override,
            List<String> interfaces,
            Optional<String> type,
            Optional<String> serviceName,
            Optional<String> microversion,
            int connectRetries,
            int statusRetries) {
        public Endpoint {
            interfaces = List.copyOf(interfaces);
        }
    }

    /**
     * How images are stored.
     *
     * @param format what the cloud wants to get, such as {@code qcow2}
     * @param asTasks whether images go through object storage
     * @param properties every uploaded image gets
     */
    public record Images(String format, boolean asTasks, Map<String, String> properties) {
        public Images {
            properties = Map.copyOf(properties);
        }
    }

    /** Who gives floating IPs. */
    public enum FloatingIpSource {
        NEUTRON,
        NOVA,
        NONE
    }

    /**
     * How servers are reached.
     *
     * @param floatingIps who gives floating IPs
     * @param known what the file says about single networks
     * @param useExternal whether addresses of external networks count
     * @param useInternal whether addresses of internal networks count
     * @param preferPrivate whether servers are reached at their private addresses
     * @param ipv4Only whether addresses of version 6 are left alone
     */
    public record Networks(
            FloatingIpSource floatingIps,
            List<Network> known,
            boolean useExternal,
            boolean useInternal,
            boolean preferPrivate,
            boolean ipv4Only) {
        public Networks {
            known = List.copyOf(known);
        }
    }

    /**
     * One network.
     *
     * @param name or id
     * @param external whether addresses in it are reached from everywhere
     * @param natSource whether floating IPs come from it
     * @param natDestination whether floating IPs lead to addresses in it
     * @param defaultInterface whether servers are reached in it
     */
    public record Network(
            String name, boolean external, boolean natSource, boolean natDestination, boolean defaultInterface) {}

    public CloudSettings {
        services = Map.copyOf(new EnumMap<>(services));
    }

    /** What is said about that service. */
    public Endpoint service(Service service) {
        Endpoint said = services.get(service);
        if (said == null) {
            throw new IllegalArgumentException(service + " has no settings");
        }
        return said;
    }
}
