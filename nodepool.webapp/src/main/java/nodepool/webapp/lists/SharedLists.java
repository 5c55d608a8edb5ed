package nodepool.webapp.lists;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import nodepool.api.listing.RecordList;

/** The lists that bundles offer right now. Thread-safe. */
public final class SharedLists {

    private final Map<String, RecordList> lists = new ConcurrentHashMap<>();

    public void add(RecordList list) {
        lists.put(list.name(), list);
    }

    public void remove(RecordList list) {
        lists.remove(list.name(), list);
    }

    /** The list of that name. */
    public Optional<RecordList> find(String name) {
        return Optional.ofNullable(lists.get(name));
    }
}
