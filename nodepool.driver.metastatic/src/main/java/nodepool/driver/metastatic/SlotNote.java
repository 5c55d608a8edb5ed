package nodepool.driver.metastatic;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.node.Node;

/**
 * What the record of a node says about the slot it is made of.
 *
 * @param backingNode id of the backing node
 * @param slot number on it
 * @param node the node's own id
 */
record SlotNote(String backingNode, int slot, String node) {

    /** What that node says, if it says something. */
    static Optional<SlotNote> of(Node node) {
        if (!(node.machine().driverData() instanceof JsonObject data)) {
            return Optional.empty();
        }
        OptionalInt slot = data.get("slot")
                .flatMap(JsonValue::asNumber)
                .map(BigDecimal::intValue)
                .map(OptionalInt::of)
                .orElse(node.machine().slot());
        Optional<String> backing = data.get("backing_node").flatMap(JsonValue::asText);
        return slot.isEmpty() ? Optional.empty() : backing.map(id -> new SlotNote(id, slot.getAsInt(), node.id()));
    }

    /** As stored. */
    JsonValue json(Map<String, String> metadata) {
        Map<String, JsonValue> marks = new LinkedHashMap<>();
        metadata.forEach((key, value) -> marks.put(key, JsonValue.of(value)));
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("metadata", new JsonObject(marks));
        members.put("backing_node", JsonValue.of(backingNode));
        members.put("slot", JsonValue.of(slot));
        members.put("node", JsonValue.of(node));
        return new JsonObject(members);
    }
}
