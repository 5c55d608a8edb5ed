package nodepool.itest.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** No node is given to two requests. */
final class HandOverCheck {

    private final History history;
    private final Map<String, String> givenTo = new HashMap<>();
    private final Map<String, String> takenFor = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    private HandOverCheck(History history) {
        this.history = history;
    }

    static List<String> faults(History history) {
        HandOverCheck check = new HandOverCheck(history);
        history.told().stream().filter(told -> told.is("took")).forEach(check::taken);
        history.requests().values().stream()
                .flatMap(request -> request.versions().stream()
                        .filter(version -> version.document().is("fulfilled"))
                        .limit(1)
                        .map(version -> new Given(request, version)))
                .sorted((one, other) -> Long.compare(
                        one.version().change().zxid(), other.version().change().zxid()))
                .forEach(check::given);
        return check.faults;
    }

    private record Given(Story request, Story.Version version) {}

    private void taken(Told told) {
        for (String node : told.rest()) {
            String before = takenFor.put(node, told.request());
            if (before != null) {
                faults.add("node %s was taken for %s and for %s".formatted(node, before, told.request()));
            }
        }
    }

    private void given(Given given) {
        String request = given.request().id();
        long zxid = given.version().change().zxid();
        for (String node : given.version().document().texts("nodes")) {
            Optional<Document> said =
                    Optional.ofNullable(history.nodes().get(node)).flatMap(story -> story.after(zxid));
            if (said.filter(document -> document.is("ready")).isEmpty()
                    || !said.get().text("allocated_to").equals(Optional.of(request))) {
                faults.add("node %s was given to %s and said %s".formatted(node, request, said));
            }
            String before = givenTo.put(node, request);
            if (before != null && history.requests().get(before).isThereAfter(zxid)) {
                faults.add("node %s was given to %s while %s had it".formatted(node, request, before));
            }
            if (before != null && before.equals(takenFor.get(node))) {
                faults.add("node %s was given to %s after %s had used it".formatted(node, request, before));
            }
        }
    }
}
