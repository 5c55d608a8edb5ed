package nodepool.driver.metastatic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.Stores;
import nodepool.driver.metastatic.MetastaticLabel.Backing;
import org.junit.jupiter.api.Test;

/** How nodes get their slots. */
class SlotLaunchTest extends MetastaticScene {

    @Test
    void nodes_share_a_backing_node_until_it_is_full() throws Exception {
        String one = slicer.begin("small");
        String two = slicer.begin("small");
        String three = slicer.begin("small");
        assertInstanceOf(Step.Again.class, slicer.step(one));
        assertInstanceOf(Step.Again.class, slicer.step(two));
        assertInstanceOf(Step.Again.class, slicer.step(three));

        List<String> backing = slicer.requests(2).stream().map(aurora::fulfil).toList();
        slicer.requests(2);
        untilReady(backing);

        assertEquals(backing.get(0) + "/0", seat(slicer, one));
        assertEquals(backing.get(0) + "/1", seat(slicer, two));
        assertEquals(backing.get(1) + "/0", seat(slicer, three));
        slicer.requests(0);
        assertEquals(NodeState.IN_USE, node(backing.get(0)).state());
    }

    @Test
    void a_slot_is_reached_like_its_backing_node() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        var instance = slicer.make(id);

        assertEquals(id, instance.externalId());
        assertEquals(BackingLauncher.ADDRESSES, instance.addresses());
        assertEquals(Optional.of(BackingLauncher.LOGIN), instance.connection());
        assertEquals(Optional.of("az1"), instance.place().az());
        assertEquals(OptionalInt.of(0), instance.slot());
        assertEquals(Map.of("instances", 1.0), instance.quota().orElseThrow().amounts());
        assertEquals(node(backing).machine().attributes(), instance.attributes());
        assertEquals(new SlotNote(backing, 0, id), SlotNote.of(node(id)).orElseThrow());
    }

    @Test
    void host_keys_are_passed_on_only_if_they_are_not_gathered_for_each_slot() throws Exception {
        slicer = launcher(config(new MetastaticLabel("small", PLAIN, true)));
        String id = slicer.begin("small");
        back(id);

        assertEquals(List.of(), slicer.make(id).connection().orElseThrow().hostKeys());
    }

    @Test
    void a_slot_that_was_given_back_is_used_again() throws Exception {
        String one = slicer.begin("small");
        String backing = back(one);
        String two = slicer.begin("small");
        slicer.make(one);
        slicer.make(two);

        slicer.remove(one);

        assertEquals(backing + "/0", seat(slicer, slicer.begin("small")));
    }

    @Test
    void slots_are_reused_in_one_zone_only() throws Exception {
        String id = slicer.begin("small");
        back(id);
        slicer.make(id);
        Node here = node(id);
        Node elsewhere = here.withPlace(here.place().withAz(Optional.of("az2")));
        var handler = slicer.provider().getRequestHandler(config(PLAIN).pools().get(0), request());

        assertTrue(handler.checkReusableNode(here, List.of()));
        assertTrue(handler.checkReusableNode(here, List.of(here)));
        assertFalse(handler.checkReusableNode(here, List.of(elsewhere)));
    }

    @Test
    void two_generations_and_two_launchers_give_no_slot_twice() throws Exception {
        MetastaticConfig wide = config(new Backing("big", 32, Duration.ofMinutes(1), Duration.ZERO, Optional.empty()));
        slicer = launcher(wide);
        String first = slicer.begin("small");
        String backing = back(first);
        slicer.make(first);
        Stores shared = stores();
        List<SlotLauncher> launchers =
                List.of(slicer, new SlotLauncher(shared, clock, wide), new SlotLauncher(shared, clock, wide));
        launchers.forEach(each -> Events.first(
                each.stores().snapshots(), now -> now.node(backing).filter(node -> node.state() == NodeState.IN_USE)));
        ExecutorService threads = Executors.newFixedThreadPool(launchers.size());

        List<Future<List<String>>> seats = launchers.stream()
                .map(each -> threads.submit(() -> tenSeats(each)))
                .toList();

        Set<String> distinct = new HashSet<>();
        for (Future<List<String>> each : seats) {
            distinct.addAll(each.get(30, TimeUnit.SECONDS));
        }
        threads.shutdown();
        assertEquals(30, distinct.size(), distinct::toString);
        assertTrue(distinct.stream().allMatch(seat -> seat.startsWith(backing + "/")), distinct::toString);
        assertEquals(
                31, BackingUse.of(node(backing), OWNER).orElseThrow().taken().size());
    }

    private static List<String> tenSeats(SlotLauncher launcher) throws CloudException {
        List<String> seats = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            seats.add(seat(launcher, launcher.begin("small")));
        }
        return seats;
    }
}
