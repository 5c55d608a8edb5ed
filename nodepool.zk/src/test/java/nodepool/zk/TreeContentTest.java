package nodepool.zk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

/** Snapshots share what has not changed, and still never change. */
class TreeContentTest {

    private static final int EVENTS = 20_000;

    private final TreeContent content = new TreeContent();
    private long transaction;

    private boolean putNode(int number, String provider, String request) {
        return put(Paths.node(id(number)), """
                {"state": "ready", "state_time": 1.5, "type": ["small"], "provider": "%s", "allocated_to": "%s"}""".formatted(provider, request));
    }

    private boolean putRequest(String priority, int number, int relative) {
        return put(Paths.request(priority + "-" + id(number)), """
                {"state": "requested", "state_time": 1.5, "node_types": ["small"], "relative_priority": %d}""".formatted(relative));
    }

    private boolean put(String path, String document) {
        Stat stat = new Stat();
        stat.setMzxid(++transaction);
        return content.put(path, new Session.Found(document.getBytes(StandardCharsets.UTF_8), stat));
    }

    private static String id(int number) {
        return "%010d".formatted(number);
    }

    private static Set<String> ids(Collection<Node> nodes) {
        return nodes.stream().map(Node::id).collect(Collectors.toSet());
    }

    @Test
    void the_indexes_say_the_same_as_the_nodes() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            int number = random.nextInt(100);
            if (random.nextInt(4) == 0) {
                content.remove(Paths.node(id(number)));
            } else {
                putNode(number, "p" + random.nextInt(5), "200-" + id(random.nextInt(20)));
            }
        }
        Snapshot now = content.snapshot(1);
        for (int p = 0; p < 5; p++) {
            String provider = "p" + p;
            assertEquals(
                    now.nodes().stream()
                            .filter(node -> node.place().provider().equals(Optional.of(provider)))
                            .map(Node::id)
                            .collect(Collectors.toSet()),
                    ids(now.nodesOf(provider)));
        }
        for (int r = 0; r < 20; r++) {
            String request = "200-" + id(r);
            assertEquals(
                    now.nodes().stream()
                            .filter(node -> node.allocation().allocatedTo().equals(Optional.of(request)))
                            .map(Node::id)
                            .collect(Collectors.toSet()),
                    ids(now.nodesAllocatedTo(request)));
        }
    }

    @Test
    void requests_are_in_the_order_in_which_they_are_served() {
        putRequest("300", 1, 0);
        putRequest("200", 4, 0);
        putRequest("200", 2, 5);
        putRequest("200", 3, 5);
        putRequest("200", 3, 0);
        content.remove(Paths.request("200-" + id(2)));
        assertEquals(
                List.of("200-" + id(3), "200-" + id(4), "300-" + id(1)),
                content.snapshot(1).requests().stream().map(NodeRequest::id).toList());
    }

    @Test
    void a_snapshot_never_changes() {
        putNode(1, "p", "200-0000000001");
        content.appeared(
                Paths.nodeLock(id(1)) + "/a__lock__0000000000",
                Place.of(Paths.nodeLock(id(1)) + "/a__lock__0000000000"));
        Snapshot before = content.snapshot(1);
        putNode(1, "q", "200-0000000002");
        putNode(2, "p", "200-0000000001");
        content.remove(Paths.nodeLock(id(1)) + "/a__lock__0000000000");
        Snapshot after = content.snapshot(2);
        assertEquals(Set.of(id(1)), ids(before.nodesOf("p")));
        assertEquals(Set.of(id(1)), ids(before.nodesAllocatedTo("200-0000000001")));
        assertTrue(before.isLocked(id(1)));
        assertEquals(Set.of(id(2)), ids(after.nodesOf("p")));
        assertEquals(Set.of(id(2)), ids(after.nodesAllocatedTo("200-0000000001")));
        assertFalse(after.isLocked(id(1)));
    }

    @Test
    void the_holder_of_a_lock_comes_first_whatever_came_first() {
        for (String name : List.of("b__lock__0000000002", "a__lock__0000000001", "stray", "b__lock__0000000002")) {
            String path = Paths.nodeLock(id(1)) + "/" + name;
            content.appeared(path, Place.of(path));
        }
        assertEquals(
                List.of("a__lock__0000000001", "b__lock__0000000002"),
                content.snapshot(1).contenders(id(1)));
    }

    @Test
    void what_is_known_already_is_no_change() {
        assertTrue(putNode(1, "p", "200-0000000001"));
        transaction--;
        assertFalse(putNode(1, "p", "200-0000000001"));
    }

    /** What an event costs, in memory, which unlike time is the same on every machine and every day. */
    @Test
    void an_event_costs_no_more_beside_five_thousand_nodes() {
        long beside0 = bytesPerEvent("beside 0 nodes");
        for (int i = 1_000; i < 6_000; i++) {
            putNode(i, "p" + i % 3, "200-" + id(i / 2));
        }
        long beside5000 = bytesPerEvent("beside 5000 nodes");
        assertTrue(beside5000 < 2 * beside0, beside0 + " bytes grew to " + beside5000);
    }

    private long bytesPerEvent(String what) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        oneEvent(0);
        long bytes = threads.getCurrentThreadAllocatedBytes();
        long time = System.nanoTime();
        for (int i = 0; i < EVENTS; i++) {
            oneEvent(i);
        }
        long each = (threads.getCurrentThreadAllocatedBytes() - bytes) / EVENTS;
        System.out.printf(
                "%s: %d bytes and %.1f microseconds per event with its snapshot%n",
                what, each, (System.nanoTime() - time) / 1e3 / EVENTS);
        return each;
    }

    private void oneEvent(int i) {
        putNode(i % 100, "p" + i % 3, "200-" + id(i % 50));
        assertTrue(content.snapshot(i).node(id(i % 100)).isPresent());
    }
}
