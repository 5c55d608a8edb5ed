package nodepool.driver.openstack.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.openstack.clouds.Service;
import nodepool.driver.openstack.http.Call;

/** Calls to the network service, which a cloud need not have. */
public final class Networking {

    private final Caller caller;

    public Networking(Caller caller) {
        this.caller = caller;
    }

    /**
     * A network.
     *
     * @param external whether it leads outside
     */
    public record Network(String id, String name, boolean external) {}

    /**
     * A port.
     *
     * @param owner what it is for; {@code compute:…} for those of servers
     * @param fixedIpv4 its addresses of version 4
     */
    public record Port(String id, String network, String status, String owner, List<String> fixedIpv4) {
        public Port {
            fixedIpv4 = List.copyOf(fixedIpv4);
        }
    }

    /**
     * A floating IP.
     *
     * @param port it leads to, if any
     * @param fixedIp it leads to, if any
     */
    public record FloatingIp(
            String id,
            String address,
            String status,
            Optional<String> port,
            Optional<String> fixedIp,
            String description) {

        static FloatingIp of(JsonNode json) {
            return new FloatingIp(
                    json.path("id").asText(),
                    json.path("floating_ip_address").asText(),
                    json.path("status").asText(),
                    Server.text(json, "port_id"),
                    Server.text(json, "fixed_ip_address"),
                    json.path("description").asText());
        }
    }

    /** Whether the cloud has the service. */
    public boolean isThere() throws CloudException {
        return caller.has(Service.NETWORK);
    }

    /** All networks the project sees; none without the service. */
    public List<Network> networks() throws CloudException {
        List<Network> all = new ArrayList<>();
        for (JsonNode json : list("/networks", "networks")) {
            all.add(new Network(
                    json.path("id").asText(),
                    json.path("name").asText(),
                    json.path("router:external").asBoolean()));
        }
        return List.copyOf(all);
    }

    /** Ids of the networks in which a subnet of version 4 has a gateway. */
    public Set<String> networksWithGateway() throws CloudException {
        Set<String> ids = new HashSet<>();
        for (JsonNode json : list("/subnets", "subnets")) {
            if (json.path("ip_version").asInt() == 4
                    && Server.text(json, "gateway_ip").isPresent()) {
                ids.add(json.path("network_id").asText());
            }
        }
        return Set.copyOf(ids);
    }

    /** The ports of a server. */
    public List<Port> portsOf(String server) throws CloudException {
        return ports(Call.get(Service.NETWORK, "/ports").with("device_id", server));
    }

    /** The ports that are down. */
    public List<Port> portsDown() throws CloudException {
        return isThere() ? ports(Call.get(Service.NETWORK, "/ports").with("status", "DOWN")) : List.of();
    }

    private List<Port> ports(Call call) throws CloudException {
        List<Port> all = new ArrayList<>();
        for (JsonNode json : caller.list(call, "ports")) {
            List<String> fixed = new ArrayList<>();
            for (JsonNode one : json.path("fixed_ips")) {
                String address = one.path("ip_address").asText();
                if (!address.contains(":")) {
                    fixed.add(address);
                }
            }
            all.add(new Port(
                    json.path("id").asText(),
                    json.path("network_id").asText(),
                    json.path("status").asText(),
                    json.path("device_owner").asText(),
                    fixed));
        }
        return List.copyOf(all);
    }

    /** Removes a port; one that is gone already counts as removed. */
    public void deletePort(String id) throws CloudException {
        delete("/ports/" + id);
    }

    /** All floating IPs of the project; none without the service. */
    public List<FloatingIp> floatingIps() throws CloudException {
        return list("/floatingips", "floatingips").stream().map(FloatingIp::of).toList();
    }

    /**
     * Makes a floating IP that leads to a port's address.
     *
     * @param network to take it from
     * @param description to find it again by
     */
    public FloatingIp createFloatingIp(String network, Port port, String fixedIp, String description)
            throws CloudException {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putObject("floatingip")
                .put("floating_network_id", network)
                .put("port_id", port.id())
                .put("fixed_ip_address", fixedIp)
                .put("description", description);
        return FloatingIp.of(caller.call(Call.post(Service.NETWORK, "/floatingips", body))
                .body()
                .path("floatingip"));
    }

    /** Removes a floating IP; one that is gone already counts as removed. */
    public void deleteFloatingIp(String id) throws CloudException {
        delete("/floatingips/" + id);
    }

    private void delete(String path) throws CloudException {
        try {
            caller.call(Call.delete(Service.NETWORK, path));
        } catch (CloudException e) {
            if (e.fault() != Fault.NOT_FOUND) {
                throw e;
            }
        }
    }

    private List<JsonNode> list(String path, String key) throws CloudException {
        return isThere() ? caller.list(Call.get(Service.NETWORK, path), key) : List.of();
    }
}
