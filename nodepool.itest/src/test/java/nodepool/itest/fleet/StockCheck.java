package nodepool.itest.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The stock of a label is never above its {@code min-ready}. What customers have given back is no fault of the launchers:
 * a node that was ever meant for a customer's request does not count.
 */
final class StockCheck {

    private final History history;
    private final Set<String> customers = new HashSet<>();
    private final Map<String, Set<String>> stock = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    private StockCheck(History history) {
        this.history = history;
    }

    static List<String> faults(History history) {
        StockCheck check = new StockCheck(history);
        long transaction = -1;
        for (Change change : history.changes()) {
            if (change.zxid() != transaction) {
                check.count(transaction);
                transaction = change.zxid();
            }
            check.follow(change);
        }
        check.count(transaction);
        return check.faults;
    }

    private void follow(Change change) {
        String id = change.path().substring(change.path().lastIndexOf('/') + 1);
        Story node =
                change.path().equals("/nodepool/nodes/" + id) ? history.nodes().get(id) : null;
        if (node == null) {
            return;
        }
        stock.values().forEach(nodes -> nodes.remove(id));
        Optional<Document> now = node.after(change.zxid());
        now.flatMap(said -> said.text("allocated_to"))
                .filter(history::isCustomers)
                .ifPresent(request -> customers.add(id));
        if (!customers.contains(id) && now.filter(said -> said.is("ready")).isPresent()) {
            now.get()
                    .texts("type")
                    .forEach(label -> stock.computeIfAbsent(label, none -> new HashSet<>())
                            .add(id));
        }
    }

    private void count(long zxid) {
        stock.forEach((label, nodes) -> {
            int wanted = history.limits().minReady().getOrDefault(label, 0);
            if (nodes.size() > wanted) {
                faults.add("after transaction %x: %d ready nodes of %s in stock, wanted %d: %s"
                        .formatted(zxid, nodes.size(), label, wanted, nodes));
            }
        });
    }
}
