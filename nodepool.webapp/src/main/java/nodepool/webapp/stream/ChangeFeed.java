package nodepool.webapp.stream;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.listing.RecordList;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import nodepool.webapp.lists.SharedLists;
import nodepool.webapp.rest.Documents;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners what changes. A change only wakes the feed; what is sent is the difference between the snapshot told last
 * and the newest one, at most every {@value #PAUSE_MILLIS} ms and only while somebody listens. One thread of its own.
 */
public final class ChangeFeed implements EventListener, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger("nodepool.WebApp");
    private static final int PAUSE_MILLIS = 250;
    private static final int HEARTBEAT_SECONDS = 15;
    private static final int MOST_LISTENERS = 500;

    private final SharedLists lists;
    private final Clock clock;
    private final ScheduledExecutorService thread;
    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Map<List<String>, Event.Judged> judged = new ConcurrentHashMap<>();
    private volatile @Nullable Stores stores;
    private @Nullable Snapshot told;

    public ChangeFeed(SharedLists lists, Clock clock) {
        this.lists = lists;
        this.clock = clock;
        ScheduledThreadPoolExecutor one =
                new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "nodepool-webapp-feed"));
        one.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        one.scheduleWithFixedDelay(
                () -> listeners.forEach(listener -> listener.send(Message.HEARTBEAT)),
                HEARTBEAT_SECONDS,
                HEARTBEAT_SECONDS,
                TimeUnit.SECONDS);
        this.thread = one;
    }

    /** Something may have changed in this store. From any thread; returns at once. */
    public void wake(Stores changed) {
        stores = changed;
        wakeThread();
    }

    private void wakeThread() {
        if (!listeners.isEmpty() && woken.compareAndSet(false, true) && !thread.isShutdown()) {
            thread.schedule(this::tell, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Of what happens in this process, answers of pools are told. On the thread that made the event; returns at once. */
    @Override
    public void on(Event event) {
        if (event instanceof Event.Judged answer && !listeners.isEmpty()) {
            judged.put(List.of(answer.requestId(), answer.provider(), answer.pool()), answer);
            wakeThread();
        }
    }

    /** False if there are too many already. */
    boolean add(Listener listener) {
        if (listeners.size() >= MOST_LISTENERS) {
            return false;
        }
        listeners.add(listener);
        thread.execute(() -> greet(listener));
        return true;
    }

    void remove(Listener listener) {
        listeners.remove(listener);
    }

    /** Number of clients that are connected. */
    public int size() {
        return listeners.size();
    }

    /** Its first message: from here on it misses nothing. */
    private void greet(Listener listener) {
        tell();
        Snapshot last = told;
        listener.send(Message.of("hello", last == null ? -1 : last.number(), JsonObject.EMPTY));
    }

    private void tell() {
        woken.set(false);
        try {
            tellVerdicts();
            Optional<Snapshot> now =
                    Optional.ofNullable(stores).flatMap(open -> open.snapshots().current());
            Snapshot before = told;
            told = now.orElse(null);
            if (now.isEmpty() || before == null || listeners.isEmpty()) {
                if (now.isPresent() != (before != null)) {
                    send(Message.RESYNC);
                }
                return;
            }
            if (before.number() != now.get().number()) {
                differences(before, now.get());
            }
        } catch (RuntimeException bug) {
            log.error("A change was not told", bug);
            send(Message.RESYNC);
        }
    }

    private void tellVerdicts() {
        List<JsonValue> items = new ArrayList<>();
        for (List<String> key : List.copyOf(judged.keySet())) {
            Optional.ofNullable(judged.remove(key))
                    .ifPresent(answer -> items.add(
                            Documents.judged(answer.requestId(), answer.provider(), answer.pool(), answer.verdict())));
        }
        if (!items.isEmpty()) {
            Snapshot last = told;
            send(Message.of(
                    "verdicts",
                    last == null ? -1 : last.number(),
                    new JsonObject(Map.of("items", new JsonArray(items)))));
        }
    }

    private void differences(Snapshot before, Snapshot now) {
        Difference nodes = Difference.ofNodes(before, now);
        Difference requests = Difference.ofRequests(before, now);
        if (!nodes.isEmpty()) {
            send("nodes", "node-list", nodes, now);
        }
        if (!requests.isEmpty()) {
            send("requests", "request-list", requests, now);
        }
        if (nodes.isEmpty() && requests.isEmpty()) {
            send(Message.of("other", now.number(), JsonObject.EMPTY));
        }
    }

    private void send(String event, String list, Difference difference, Snapshot now) {
        Optional<RecordList> source = lists.find(list);
        Stores open = stores;
        if (source.isEmpty() || open == null) {
            return;
        }
        source.get().rows(open, now, clock.instant()).thenAccept(rows -> {
            List<JsonValue> changed = rows.stream()
                    .filter(row -> row.value("id")
                            .asText()
                            .filter(difference.changed()::contains)
                            .isPresent())
                    .<JsonValue>map(row -> Documents.row(row, source.get().fields()))
                    .toList();
            Map<String, JsonValue> members = new LinkedHashMap<>();
            members.put("changed", new JsonArray(changed));
            members.put("removed", JsonArray.ofTexts(difference.removed()));
            send(Message.of(event, now.number(), new JsonObject(members)));
        });
    }

    private void send(Message message) {
        listeners.forEach(listener -> listener.send(message));
    }

    @Override
    public void close() {
        thread.shutdownNow();
        listeners.forEach(Listener::end);
    }
}
