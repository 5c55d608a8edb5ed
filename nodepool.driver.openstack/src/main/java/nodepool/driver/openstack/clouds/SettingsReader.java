package nodepool.driver.openstack.clouds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import nodepool.driver.openstack.clouds.CloudSettings.Endpoint;
import nodepool.driver.openstack.clouds.CloudSettings.FloatingIpSource;
import nodepool.driver.openstack.clouds.CloudSettings.Images;
import nodepool.driver.openstack.clouds.CloudSettings.Network;
import nodepool.driver.openstack.clouds.CloudSettings.Networks;
import nodepool.driver.openstack.clouds.CloudSettings.Tls;

/** Reads the merged keys of one cloud. */
final class SettingsReader {

    private final String cloud;
    private final ObjectNode keys;
    private final Map<String, String> environment;

    SettingsReader(String cloud, ObjectNode keys, Map<String, String> environment) {
        this.cloud = cloud;
        this.keys = keys;
        this.environment = environment;
    }

    CloudSettings read(Optional<String> region) throws CloudsException {
        Map<Service, Endpoint> services = new EnumMap<>(Service.class);
        for (Service service : Service.values()) {
            services.put(service, endpoint(service));
        }
        return new CloudSettings(
                cloud,
                region,
                new AuthenticationReader(cloud, Trees.map(keys, "auth"))
                        .read(Trees.text(keys, "auth_type").orElse("password")),
                tls(),
                timeout(),
                services,
                new Images(
                        Trees.text(keys, "image_format").orElse("qcow2"),
                        flag("image_api_use_tasks", false),
                        texts("disable_vendor_agent")),
                networks());
    }

    private Tls tls() {
        boolean verify = flag("verify", true) && !flag("insecure", false);
        return new Tls(verify, path("cacert"), path("cert"), path("key"));
    }

    private Optional<Path> path(String key) {
        return Trees.text(keys, key).map(Path::of);
    }

    /** Any {@code …_timeout}: the library has one limit for all it does. */
    private Optional<Duration> timeout() throws CloudsException {
        Optional<String> key = Trees.text(keys, "api_timeout").isPresent()
                ? Optional.of("api_timeout")
                : keys.properties().stream()
                        .map(Map.Entry::getKey)
                        .filter(name -> name.endsWith("_timeout"))
                        .findFirst();
        Optional<String> text = key.flatMap(name -> Trees.text(keys, name));
        if (text.isEmpty()) {
            return Optional.empty();
        }
        double seconds = number(key.orElse(""), text.get());
        return seconds <= 0 ? Optional.empty() : Optional.of(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    private Endpoint endpoint(Service service) throws CloudsException {
        List<String> interfaces = list(service, "interface");
        return new Endpoint(
                ofService(service, "endpoint_override"),
                interfaces.isEmpty() ? interfaces() : interfaces,
                ofService(service, "service_type"),
                ofService(service, "service_name"),
                ofService(service, "default_microversion"),
                count(service, "connect_retries"),
                count(service, "status_code_retries"));
    }

    private Optional<String> ofService(Service service, String end) {
        return service.keys().stream()
                .flatMap(start -> Trees.text(keys, start + "_" + end).stream())
                .findFirst();
    }

    private int count(Service service, String key) throws CloudsException {
        String text = ofService(service, key).or(() -> Trees.text(keys, key)).orElse("0");
        return (int) Math.max(0, number(key, text));
    }

    private double number(String key, String text) throws CloudsException {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException wrong) {
            throw new CloudsException("cloud " + cloud + ": " + key + " is not a number: " + text, wrong);
        }
    }

    private List<String> interfaces() {
        List<String> found = words(keys.path("interface"));
        return found.isEmpty() ? List.of("public") : found;
    }

    private List<String> list(Service service, String end) {
        return service.keys().stream()
                .map(start -> words(keys.path(start + "_" + end)))
                .filter(words -> !words.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** One word or several; {@code publicURL} is an old way to write {@code public}. */
    private static List<String> words(JsonNode value) {
        List<String> words = new ArrayList<>();
        if (value.isArray()) {
            value.forEach(one -> words.add(one.asText()));
        } else if (value.isValueNode() && !value.isNull() && !value.asText().isEmpty()) {
            words.add(value.asText());
        }
        words.replaceAll(word -> word.endsWith("URL") ? word.substring(0, word.length() - 3) : word);
        return List.copyOf(words);
    }

    private Map<String, String> texts(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        Trees.map(keys, key)
                .properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    private boolean flag(String key, boolean otherwise) {
        return Trees.bool(keys, key).orElse(otherwise);
    }

    private Networks networks() throws CloudsException {
        List<Network> known = new ArrayList<>();
        for (JsonNode one : keys.path("networks")) {
            if (!(one instanceof ObjectNode map)) {
                throw new CloudsException("cloud " + cloud + ": an entry of networks is not a map");
            }
            known.add(network(Trees.withUnderscores(map)));
        }
        Trees.text(keys, "external_network").ifPresent(name -> known.add(new Network(name, true, true, false, false)));
        Trees.text(keys, "internal_network").ifPresent(name -> known.add(new Network(name, false, false, true, false)));
        atMostOne(
                "nat_destination",
                known.stream().filter(Network::natDestination).count());
        atMostOne(
                "default_interface",
                known.stream().filter(Network::defaultInterface).count());
        boolean ipv4Only = flag("force_ipv4", false)
                || Trees.bool(Trees.map(keys, "client"), "force_ipv4").orElse(false)
                || !flag("prefer_ipv6", true)
                || "true".equalsIgnoreCase(environment.get("OS_FORCE_IPV4"));
        return new Networks(
                floatingIpSource(),
                known,
                flag("use_external_network", true),
                flag("use_internal_network", true),
                flag("private", false),
                ipv4Only);
    }

    private Network network(ObjectNode one) throws CloudsException {
        boolean external = Trees.bool(one, "routes_externally").orElse(false);
        return new Network(
                Trees.text(one, "name")
                        .orElseThrow(
                                () -> new CloudsException("cloud " + cloud + ": an entry of networks has no name")),
                Trees.bool(one, "routes_ipv4_externally").orElse(external),
                Trees.bool(one, "nat_source").orElse(false),
                Trees.bool(one, "nat_destination").orElse(false),
                Trees.bool(one, "default_interface").orElse(false));
    }

    private void atMostOne(String key, long count) throws CloudsException {
        if (count > 1) {
            throw new CloudsException("cloud " + cloud + ": only one network may have " + key);
        }
    }

    private FloatingIpSource floatingIpSource() throws CloudsException {
        String text = Trees.text(keys, "floating_ip_source").orElse("None");
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "neutron" -> FloatingIpSource.NEUTRON;
            case "nova" -> FloatingIpSource.NOVA;
            case "none" -> FloatingIpSource.NONE;
            default ->
                throw new CloudsException(
                        "cloud " + cloud + ": floating_ip_source is none of neutron, nova, None: " + text);
        };
    }
}
