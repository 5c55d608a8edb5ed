package nodepool.launcher;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.Instance;
import nodepool.api.driver.PoolConfig;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.node.Node;

/** What a node's record says once its machine is there. */
final class NodeFromInstance {

    private NodeFromInstance() {}

    static Node apply(Node node, Instance instance, PoolConfig pool) {
        Node.Place place = new Node.Place(
                node.place().provider(),
                node.place().pool(),
                instance.place().cloud(),
                instance.place().region(),
                instance.place().az().or(() -> node.place().az()),
                instance.place().hostId());
        Node.Machine machine = node.machine()
                .withExternalId(Optional.of(instance.externalId()))
                .withAttributes(attributes(instance.attributes(), pool.nodeAttributes()))
                .withDriverData(instance.driverData());
        if (instance.slot().isPresent()) {
            machine = machine.withSlot(instance.slot());
        }
        if (instance.quota().isPresent()) {
            machine = machine.withResources(instance.quota().get());
        }
        return node.withPlace(place)
                .withMachine(machine)
                .withAddresses(instance.addresses())
                .withConnection(instance.connection().orElse(node.connection()));
    }

    /** The machine's attributes as defaults, overridden key by key by the pool's. */
    private static JsonValue attributes(JsonValue machine, JsonValue pool) {
        Map<String, JsonValue> merged = new LinkedHashMap<>();
        for (JsonValue part : new JsonValue[] {machine, pool}) {
            if (part instanceof JsonObject object) {
                merged.putAll(object.members());
            }
        }
        return merged.isEmpty() && pool.isNull() ? JsonNull.NULL : new JsonObject(merged);
    }
}
