package nodepool.itest.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** No request is lost: each is fulfilled, in bounded time, unless its customer has cancelled it. */
final class ServiceCheck {

    private final List<String> faults = new ArrayList<>();
    private Duration longest = Duration.ZERO;
    private int fulfilled;

    ServiceCheck(History history) {
        Map<String, Instant> asked = new HashMap<>();
        Set<String> open = new HashSet<>();
        for (Told told : history.told()) {
            switch (told.what()) {
                case "asked" -> {
                    asked.put(told.request(), told.at());
                    open.add(told.request());
                }
                case "fulfilled" -> {
                    fulfilled++;
                    open.remove(told.request());
                    Duration took = Duration.between(asked.getOrDefault(told.request(), told.at()), told.at());
                    longest = took.compareTo(longest) > 0 ? took : longest;
                }
                case "fault" -> faults.add("%s: %s".formatted(told.request(), String.join(" ", told.rest())));
                default -> open.remove(told.request());
            }
        }
        open.forEach(request -> faults.add(request + " was never fulfilled"));
    }

    List<String> faults() {
        return faults;
    }

    /** How long a customer has waited at most. */
    Duration longest() {
        return longest;
    }

    int fulfilled() {
        return fulfilled;
    }
}
