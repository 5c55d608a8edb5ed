package nodepool.driver.openstack.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.openstack.clouds.Service;
import nodepool.driver.openstack.http.Call;
import nodepool.driver.openstack.http.Version;

/** Calls to the compute service. */
public final class Compute {

    /** From this one on, servers can be told to take whatever network there is. */
    private static final Version AUTOMATIC_NETWORKS = new Version(2, 37);

    private static final int CONSOLE_LINES = 10_000;

    private final Caller caller;

    public Compute(Caller caller) {
        this.caller = caller;
    }

    /** All servers of the project. */
    public List<Server> servers() throws CloudException {
        return caller.list(Call.get(Service.COMPUTE, "/servers/detail"), "servers").stream()
                .map(Server::of)
                .toList();
    }

    /** One server; absent if there is none. */
    public Optional<Server> server(String id) throws CloudException {
        try {
            return Optional.of(
                    Server.of(caller.get(Service.COMPUTE, "/servers/" + id).path("server")));
        } catch (CloudException e) {
            if (e.fault() == Fault.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Makes a server.
     *
     * @param server the value of {@code server} in the request; its networks may be left out
     * @return its id
     */
    public String create(ObjectNode server) throws CloudException {
        boolean automatic = !server.has("networks") && caller.knows(Service.COMPUTE, AUTOMATIC_NETWORKS);
        if (automatic) {
            server.put("networks", "auto");
        }
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.set("server", server);
        Call call = Call.post(Service.COMPUTE, "/servers", body);
        String id = caller.call(automatic ? call.withMicroversion(AUTOMATIC_NETWORKS.toString()) : call)
                .body()
                .path("server")
                .path("id")
                .asText();
        if (id.isEmpty()) {
            throw new CloudException(Fault.TRANSIENT, "compute made a server and does not say which");
        }
        return id;
    }

    /** Asks for a server's end; one that is gone already counts as asked. */
    public void delete(String id) throws CloudException {
        try {
            caller.call(Call.delete(Service.COMPUTE, "/servers/" + id));
        } catch (CloudException e) {
            if (e.fault() != Fault.NOT_FOUND) {
                throw e;
            }
        }
    }

    /** What a server has printed, its end at least; absent if this cloud cannot tell. */
    public Optional<String> console(String id) throws CloudException {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putObject("os-getConsoleOutput").put("length", CONSOLE_LINES);
        try {
            return Optional.of(caller.call(Call.post(Service.COMPUTE, "/servers/" + id + "/action", body)
                            .asRepeatable())
                    .body()
                    .path("output")
                    .asText());
        } catch (CloudException e) {
            if (e.fault() == Fault.BAD_REQUEST || e.fault() == Fault.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** All flavors the project may use, small ones first. */
    public List<Flavor> flavors() throws CloudException {
        return caller.list(Call.get(Service.COMPUTE, "/flavors/detail"), "flavors").stream()
                .map(Flavor::of)
                .toList();
    }

    /** Names of the zones in which servers can be made. */
    public List<String> zones() throws CloudException {
        List<String> names = new ArrayList<>();
        for (JsonNode zone :
                caller.get(Service.COMPUTE, "/os-availability-zone").path("availabilityZoneInfo")) {
            if (zone.path("zoneState").path("available").asBoolean()) {
                names.add(zone.path("zoneName").asText());
            }
        }
        return List.copyOf(names);
    }

    /** The project's limits, by compute's own names. */
    public JsonNode limits() throws CloudException {
        return caller.get(Service.COMPUTE, "/limits").path("limits").path("absolute");
    }
}
