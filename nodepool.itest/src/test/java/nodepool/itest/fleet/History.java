package nodepool.itest.fleet;

import java.util.List;
import java.util.Map;

/**
 * All that is known of one run.
 *
 * @param changes in ZooKeeper, in order
 * @param machines of all clouds, each cloud's in order
 * @param told by all customers
 */
record History(
        Limits limits,
        List<Change> changes,
        Map<String, Story> nodes,
        Map<String, Story> requests,
        List<Machine> machines,
        List<Told> told,
        List<Kill> kills) {

    static History of(Limits limits, List<Change> changes, List<Machine> machines, List<Told> told, List<Kill> kills) {
        return new History(
                limits,
                changes,
                Story.of(changes, "/nodepool/nodes"),
                Story.of(changes, "/nodepool/requests"),
                machines,
                told,
                kills);
    }

    /** Whether a customer has made that request, not a launcher for its stock. */
    boolean isCustomers(String request) {
        Story story = requests.get(request);
        return story != null && !story.isEphemeral();
    }
}
