package nodepool.driver.staticnode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.driver.staticnode.StaticNode.Identity;

/**
 * Which record stands for which slot. A pure function of the configuration and the records of one provider.
 *
 * @param lists by identity, the configured ones first; position n holds the record of slot n. Positions from the
 *     configured number of slots on, and all positions of an identity that is not configured, are in excess
 */
record SlotTable(Map<Identity, List<Optional<Node>>> lists, Map<Identity, Integer> configured) {

    /** A place in the table. */
    record Slot(Identity identity, int number) {}

    /** A record and the slot it stands for. */
    record Filled(Slot slot, Node node) {

        /** Whether nobody uses it or was promised it. */
        boolean isFree() {
            return node.state() == NodeState.READY && !node.isAllocated();
        }
    }

    /**
     * @param hosts every configured entry
     * @param records the provider's nodes in any state; those on their way in or out are not looked at
     */
    static SlotTable of(Collection<StaticNode> hosts, Collection<Node> records) {
        Map<Identity, List<Optional<Node>>> lists = new LinkedHashMap<>();
        Map<Identity, Integer> configured = new LinkedHashMap<>();
        for (StaticNode host : hosts) {
            List<Optional<Node>> empty = new ArrayList<>();
            IntStream.range(0, host.slots()).forEach(number -> empty.add(Optional.empty()));
            lists.put(host.identity(), empty);
            configured.put(host.identity(), host.slots());
        }
        List<Node> unslotted = new ArrayList<>();
        records.stream()
                .filter(node -> node.state() != NodeState.BUILDING && node.state() != NodeState.DELETING)
                .sorted(Comparator.comparing(Node::id))
                .filter(node -> !takesItsSlot(node, lists))
                .forEach(unslotted::add);
        unslotted.forEach(node -> place(node, lists));
        return new SlotTable(lists, configured);
    }

    private static boolean takesItsSlot(Node node, Map<Identity, List<Optional<Node>>> lists) {
        List<Optional<Node>> slots = lists.getOrDefault(Identity.of(node), List.of());
        int number = node.machine().slot().orElse(-1);
        if (number < 0 || number >= slots.size() || slots.get(number).isPresent()) {
            return false;
        }
        slots.set(number, Optional.of(node));
        return true;
    }

    private static void place(Node node, Map<Identity, List<Optional<Node>>> lists) {
        List<Optional<Node>> slots = lists.computeIfAbsent(Identity.of(node), unknown -> new ArrayList<>());
        int free = slots.indexOf(Optional.<Node>empty());
        if (free >= 0) {
            slots.set(free, Optional.of(node));
        } else {
            slots.add(Optional.of(node));
        }
    }

    /** The configured slots of that entry without a record. */
    List<Slot> empty(Identity identity) {
        List<Optional<Node>> slots = lists.getOrDefault(identity, List.of());
        return IntStream.range(0, slots.size())
                .filter(number -> slots.get(number).isEmpty())
                .mapToObj(number -> new Slot(identity, number))
                .toList();
    }

    /** The records in configured slots of that entry. */
    List<Filled> filled(Identity identity) {
        return range(identity, 0, configured.getOrDefault(identity, 0));
    }

    /** The records that stand for no configured slot: of removed entries, and beyond the number of slots. */
    List<Filled> excess() {
        return lists.entrySet().stream()
                .flatMap(entry ->
                        range(
                                entry.getKey(),
                                configured.getOrDefault(entry.getKey(), 0),
                                entry.getValue().size())
                                .stream())
                .toList();
    }

    private List<Filled> range(Identity identity, int from, int to) {
        List<Optional<Node>> slots = lists.getOrDefault(identity, List.of());
        List<Filled> found = new ArrayList<>();
        for (int number = from; number < to; number++) {
            Slot slot = new Slot(identity, number);
            slots.get(number).ifPresent(node -> found.add(new Filled(slot, node)));
        }
        return found;
    }
}
