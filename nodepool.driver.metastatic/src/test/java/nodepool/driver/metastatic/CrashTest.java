package nodepool.driver.metastatic;

import static nodepool.driver.metastatic.Events.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.Stores;
import org.junit.jupiter.api.Test;

/** What is found after crashes, and what others have left or forged. */
class CrashTest extends MetastaticScene {

    @Test
    void after_a_crash_the_free_slots_are_known() throws Exception {
        String one = slicer.begin("small");
        String backing = back(one);
        slicer.make(one);
        slicer.close();

        slicer = launcher(config(PLAIN));

        assertEquals(backing + "/1", seat(slicer, slicer.begin("small")));
        assertInstanceOf(Step.Again.class, slicer.step(slicer.begin("small")));
        slicer.requests(1);
    }

    @Test
    void after_a_crash_a_backing_node_of_the_original_is_known() throws Exception {
        String one = slicer.begin("small");
        String backing = back(one);
        slicer.make(one);
        LockedNode locked =
                await(slicer.stores().nodes().resumeLasting(backing, OWNER)).orElseThrow();
        BackingUse use = BackingUse.of(locked.node(), OWNER).orElseThrow();
        await(slicer.stores()
                .nodes()
                .write(locked.with(use.withTaken(new TreeMap<>()).on(locked.node()))));
        slicer.close();

        slicer = launcher(config(PLAIN));

        assertEquals(backing + "/1", seat(slicer, slicer.begin("small")));
    }

    @Test
    void a_crash_leaves_no_request_behind() throws Exception {
        slicer.step(slicer.begin("small"));
        slicer.requests(1);
        slicer.close();

        slicer = launcher(config(PLAIN));

        slicer.requests(0);
        slicer.step(slicer.begin("small"));
        slicer.requests(1);
    }

    @Test
    void a_step_repeated_after_a_crash_finds_the_slot_it_had() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        Step.Done first = (Step.Done) slicer.step(id);

        Step.Done again = (Step.Done) slicer.step(id);

        assertEquals(first, again);
        assertEquals(
                new TreeMap<>(Map.of(0, id)),
                BackingUse.of(node(backing), OWNER).orElseThrow().taken());
    }

    @Test
    void a_step_that_died_after_locking_the_backing_node_is_repeated() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        assertTrue(await(slicer.stores().nodes().tryLockLasting(backing, OWNER)).isPresent());

        assertEquals(backing + "/0", seat(slicer, id));
        slicer.requests(0);
    }

    @Test
    void a_request_that_outlives_its_fulfilment_keeps_nobody_waiting() throws Exception {
        String one = slicer.begin("small");
        String backing = back(one);
        BackingUse use = BackingUse.fresh(
                        OWNER, config(PLAIN).backedLabel("small").orElseThrow(), clock.instant())
                .withTaken(new TreeMap<>(Map.of(0, one)));
        LockedNode locked =
                await(slicer.stores().nodes().tryLockLasting(backing, OWNER)).orElseThrow();
        await(slicer.stores()
                .nodes()
                .write(locked.with(use.on(locked.node().withState(NodeState.IN_USE, clock.instant())))));
        untilLocked(backing);
        assertEquals(backing + "/0", seat(slicer, one));
        assertEquals(backing + "/1", seat(slicer, slicer.begin("small")));
        slicer.requests(1);

        String three = slicer.begin("small");
        slicer.step(three);
        slicer.requests(0);
        slicer.step(three);
        slicer.requests(1);
    }

    @Test
    void a_backing_node_that_was_locked_and_then_forgotten_is_let_go() throws Exception {
        slicer.step(slicer.begin("small"));
        String backing = aurora.fulfil(slicer.requests(1).get(0));
        assertTrue(await(slicer.stores().nodes().tryLockLasting(backing, OWNER)).isPresent());
        slicer.close();

        slicer = launcher(config(PLAIN));
        slicer.requests(0);
        slicer.sweep();

        Node free =
                await(slicer.stores().nodes().tryLock(backing)).orElseThrow().node();
        assertEquals(NodeState.READY, free.state());
    }

    @Test
    void a_slot_whose_node_was_removed_by_hand_becomes_free() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        LockedNode removed = await(slicer.stores().nodes().tryLock(id)).orElseThrow();
        await(slicer.stores().nodes().remove(removed));
        until(id, false);

        slicer.sweep();

        assertEquals(backing + "/0", seat(slicer, slicer.begin("small")));
    }

    @Test
    void forged_notes_on_a_node_that_we_have_not_locked_are_ignored() throws Exception {
        BackingUse forged =
                BackingUse.fresh(OWNER, config(PLAIN).backedLabel("small").orElseThrow(), clock.instant());
        Node draft = Node.draft(
                NodeState.READY, List.of("big"), Node.Place.in("aurora", "main"), Node.Machine.NONE, clock.instant());
        Stores theirs = stores();
        String id = await(theirs.nodes().create(draft)).id();
        LockedNode locked = await(theirs.nodes().tryLock(id)).orElseThrow();
        await(theirs.nodes().write(locked.with(forged.on(locked.node()).withState(NodeState.IN_USE, clock.instant()))));
        Events.first(
                slicer.stores().snapshots(),
                now -> now.isLocked(id)
                        ? now.node(id).filter(node -> node.state() == NodeState.IN_USE)
                        : Optional.empty());

        assertInstanceOf(Step.Again.class, slicer.step(slicer.begin("small")));
        slicer.requests(1);
        clock.advance(Duration.ofDays(1));
        slicer.sweep();
        assertEquals(NodeState.IN_USE, node(id).state());
    }
}
