package nodepool.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import nodepool.api.config.Section;

/** Finds labels whose nodes are slots on nodes of the same label, directly or through others, whichever providers make them. */
final class LabelCircles {

    private static final String BACKING = "backing-label";

    private final List<Section> labels = new ArrayList<>();
    private final Map<String, Set<String>> backedBy = new LinkedHashMap<>();

    /** Takes the labels of one more provider. */
    void add(Section provider) {
        for (Section pool : provider.sections("pools")) {
            for (Section label : pool.sections("labels")) {
                label.text(BACKING).ifPresent(backing -> {
                    labels.add(label);
                    backedBy.computeIfAbsent(label.require("name"), none -> new LinkedHashSet<>())
                            .add(backing);
                });
            }
        }
    }

    /** Reports each label that is part of a circle, at each place where it is made. */
    void report(Problems problems) {
        for (Section label : labels) {
            String name = label.require("name");
            Set<String> reached = new LinkedHashSet<>();
            List<String> open = new ArrayList<>(label.texts(BACKING));
            boolean found = false;
            while (!found && !open.isEmpty()) {
                String next = open.remove(open.size() - 1);
                found = next.equals(name);
                if (!found && reached.add(next)) {
                    open.addAll(backedBy.getOrDefault(next, Set.of()));
                }
            }
            if (found) {
                String through = reached.isEmpty() ? "" : " through " + String.join(", ", reached);
                problems.error(
                        label.at(BACKING),
                        YamlNodes.join(label.path(), BACKING),
                        "label " + name + " backs itself" + through);
            }
        }
    }
}
