package nodepool.itest.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every machine has one node, whose record is there before it and after it; none is left at the end. */
final class OwnershipCheck {

    private OwnershipCheck() {}

    static List<String> faults(History history) {
        List<String> faults = new ArrayList<>();
        Map<String, String> machineOf = new HashMap<>();
        for (Machine machine : history.machines()) {
            String before = machineOf.put(machine.node(), machine.id());
            if (before != null) {
                faults.add("node %s got two machines, %s and %s".formatted(machine.node(), before, machine.id()));
            }
            Story node = history.nodes().get(machine.node());
            if (node == null || node.versions().get(0).change().at().isAfter(machine.made())) {
                faults.add("machine %s was made before the record of node %s".formatted(machine.id(), machine.node()));
            } else if (machine.removed().isEmpty()) {
                faults.add("machine %s of node %s is left".formatted(machine.id(), machine.node()));
            } else if (node.end()
                    .filter(end -> end.at().isBefore(machine.removed().get()))
                    .isPresent()) {
                faults.add("machine %s outlived the record of node %s".formatted(machine.id(), machine.node()));
            }
        }
        history.nodes().values().stream()
                .filter(node -> node.end().isEmpty())
                .forEach(node -> faults.add("node " + node.id() + " is left"));
        return faults;
    }
}
