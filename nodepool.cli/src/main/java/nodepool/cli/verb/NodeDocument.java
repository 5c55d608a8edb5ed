package nodepool.cli.verb;

import java.time.Instant;
import java.util.List;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.store.Snapshot;

/** Everything that is stored of a node, under the names it is stored with. */
final class NodeDocument {

    private NodeDocument() {}

    static JsonObject of(Node node, Snapshot snapshot, Instant now) {
        Document document = new Document()
                .put("id", node.id())
                .put("state", node.state().wireName())
                .put("state_time", node.stateTime())
                .put("age", Age.between(node.stateTime(), now))
                .put("type", node.types());
        List<String> contenders = snapshot.contenders(node.id());
        document.put("locked", !contenders.isEmpty()).put("lock_queue", contenders);
        place(node.place(), document);
        machine(node.machine(), document);
        document.put("allocated_to", node.allocation().allocatedTo())
                .put("requestor", node.allocation().requestor())
                .put("tenant_name", node.allocation().tenantName());
        reach(node, document);
        document.put("comment", node.use().comment())
                .put("hold_job", node.use().holdJob())
                .put("user_data", node.use().userData());
        node.use().holdExpiration().ifPresent(seconds -> document.put("hold_expiration", seconds));
        return document.end();
    }

    private static void place(Node.Place place, Document document) {
        document.put("provider", place.provider())
                .put("pool", place.pool())
                .put("cloud", place.cloud())
                .put("region", place.region())
                .put("az", place.az())
                .put("host_id", place.hostId());
    }

    private static void machine(Node.Machine machine, Document document) {
        document.put("external_id", machine.externalId())
                .put("hostname", machine.hostname())
                .put("image_id", machine.imageId())
                .put("launcher", machine.launcher());
        machine.createdTime().ifPresent(at -> document.put("created_time", at));
        machine.resources().ifPresent(used -> document.put("resources", amounts(used)));
        machine.slot().ifPresent(slot -> document.put("slot", slot));
        document.put("attributes", machine.attributes()).put("driver_data", machine.driverData());
    }

    private static JsonObject amounts(QuotaInformation used) {
        Document amounts = new Document();
        used.amounts().forEach((name, amount) -> amounts.put(name, number(amount)));
        return amounts.end();
    }

    private static JsonValue number(double amount) {
        return amount == Math.rint(amount) ? JsonValue.of((long) amount) : new JsonNumber(Double.toString(amount));
    }

    private static void reach(Node node, Document document) {
        document.put("interface_ip", node.addresses().interfaceIp())
                .put("public_ipv4", node.addresses().publicIpv4())
                .put("private_ipv4", node.addresses().privateIpv4())
                .put("public_ipv6", node.addresses().publicIpv6())
                .put("connection_port", NodeRow.port(node))
                .put("connection_type", node.connection().type())
                .put("username", node.connection().username())
                .put("shell_type", node.connection().shellType())
                .put("python_path", node.connection().pythonPath())
                .put("host_keys", node.connection().hostKeys());
    }
}
