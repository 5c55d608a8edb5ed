package nodepool.driver.metastatic;

import static nodepool.driver.metastatic.Events.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.driver.metastatic.MetastaticLabel.Backing;
import org.junit.jupiter.api.Test;

/** How long backing nodes are used and kept. */
class BackingNodeLifeTest extends MetastaticScene {

    @Test
    void an_empty_backing_node_is_given_back_after_the_grace_time() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        slicer.remove(id);

        clock.advance(Duration.ofMinutes(1));
        slicer.sweep();
        assertEquals(NodeState.IN_USE, node(backing).state());

        clock.advance(Duration.ofSeconds(1));
        slicer.sweep();
        assertReleased(backing);
    }

    @Test
    void a_drained_provider_gives_an_empty_backing_node_back_at_once() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        LockedNode used = await(slicer.stores().nodes().tryLock(id)).orElseThrow();

        assertFalse(slicer.drain());
        assertEquals(NodeState.IN_USE, node(backing).state(), "while a slot is used");
        await(slicer.stores().nodes().unlock(used.lock()));

        slicer.remove(id);
        slicer.drain();
        assertReleased(backing);
        assertTrue(slicer.drain());
    }

    @Test
    void a_drained_provider_deletes_slots_that_nobody_uses() throws Exception {
        String id = slicer.begin("small");
        back(id);
        slicer.make(id);

        assertFalse(slicer.drain());

        assertEquals(NodeState.DELETING, node(id).state());
    }

    @Test
    void the_end_of_the_grace_time_needs_no_other_event() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        slicer.remove(id);

        slicer.pass(Duration.ofSeconds(60));
        assertEquals(NodeState.IN_USE, node(backing).state());

        slicer.pass(Duration.ofSeconds(1));
        assertReleased(backing);
    }

    @Test
    void a_generation_that_was_replaced_gives_nothing_back() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        slicer.remove(id);

        slicer.provider().idle();
        slicer.pass(Duration.ofDays(1));
        slicer.sweep();

        assertEquals(NodeState.IN_USE, node(backing).state());
    }

    @Test
    void a_generation_that_was_replaced_has_nothing_planned() throws Exception {
        String id = slicer.begin("small");
        back(id);
        slicer.make(id);
        slicer.remove(id);
        slicer.pass(Duration.ZERO);
        assertEquals(1, slicer.planned());

        slicer.provider().idle();

        assertEquals(0, slicer.planned());
    }

    @Test
    void any_number_of_nodes_that_go_cost_one_pass() throws Exception {
        String one = slicer.begin("small");
        String two = slicer.begin("small");
        slicer.pass(Duration.ZERO);

        slicer.remove(one);
        slicer.remove(two);

        assertEquals(1, slicer.planned());
    }

    @Test
    void one_in_use_is_not_given_back_however_long_it_takes() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);

        clock.advance(Duration.ofDays(9));
        slicer.sweep();

        assertEquals(NodeState.IN_USE, node(backing).state());
    }

    @Test
    void an_idle_backing_node_stays_for_its_minimum_retention_time() throws Exception {
        slicer =
                launcher(config(new Backing("big", 2, Duration.ofSeconds(2), Duration.ofMinutes(5), Optional.empty())));
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        slicer.remove(id);

        clock.advance(Duration.ofSeconds(299));
        slicer.sweep();
        assertEquals(NodeState.IN_USE, node(backing).state());

        clock.advance(Duration.ofSeconds(2));
        slicer.sweep();
        assertReleased(backing);
    }

    @Test
    void beyond_its_maximum_age_a_backing_node_keeps_its_nodes_but_gets_no_more() throws Exception {
        slicer = launcher(config(
                new Backing("big", 2, Duration.ofSeconds(2), Duration.ZERO, Optional.of(Duration.ofMinutes(5)))));
        String one = slicer.begin("small");
        String old = back(one);
        slicer.make(one);

        clock.advance(Duration.ofSeconds(301));

        String two = slicer.begin("small");
        String young = back(two);
        assertEquals(young + "/0", seat(slicer, two));
        slicer.sweep();
        assertEquals(NodeState.READY, node(one).state());
        assertEquals(NodeState.IN_USE, node(old).state());
        slicer.remove(one);
        slicer.sweep();
        assertReleased(old);
    }

    @Test
    void the_backing_node_of_a_label_that_is_gone_goes_with_its_last_node() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        slicer.close();
        slicer = launcher(config(new MetastaticLabel("other", PLAIN, false)));
        slicer.sweep();
        assertEquals(NodeState.IN_USE, node(backing).state());

        slicer.remove(id);
        slicer.sweep();

        assertReleased(backing);
    }

    @Test
    void a_backing_node_on_which_an_attempt_fails_gets_no_more_nodes_and_goes_when_empty() throws Exception {
        String one = slicer.begin("small");
        String bad = back(one);
        slicer.make(one);
        String two = slicer.begin("small");
        assertInstanceOf(Step.Done.class, slicer.step(two));

        slicer.attemptFailed(two);

        assertInstanceOf(Step.Again.class, slicer.step(two));
        String good = aurora.fulfil(slicer.requests(1).get(0));
        untilReady(List.of(good));
        assertEquals(good + "/0", seat(slicer, two));
        assertEquals(good + "/1", seat(slicer, slicer.begin("small")));
        assertEquals(NodeState.READY, node(one).state());
        slicer.sweep();
        assertEquals(NodeState.IN_USE, node(bad).state());
        slicer.remove(one);
        slicer.sweep();
        assertReleased(bad);
        assertEquals(NodeState.IN_USE, node(good).state());
    }

    @Test
    void a_failed_key_scan_fails_the_backing_node_even_after_the_last_attempt() throws Exception {
        String id = slicer.begin("small");
        String bad = back(id);
        slicer.scanFailed(id);
        slicer.remove(id);
        slicer.pass(Duration.ZERO);

        assertInstanceOf(Step.Again.class, slicer.step(slicer.begin("small")));
        slicer.requests(1);
        assertReleased(bad);
    }

    @Test
    void a_free_node_goes_with_its_backing_node_and_the_next_one_gets_a_new_one() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        LockedNode lost =
                await(slicer.stores().nodes().resumeLasting(backing, OWNER)).orElseThrow();
        await(slicer.stores().nodes().remove(lost));
        until(backing, false);

        MetastaticRequestHandler handler = (MetastaticRequestHandler)
                slicer.provider().getRequestHandler(config(PLAIN).pools().get(0), request());
        assertFalse(handler.checkReusableNode(node(id), List.of()));
        slicer.sweep();
        assertEquals(NodeState.DELETING, node(id).state());
        assertInstanceOf(Step.Again.class, slicer.step(slicer.begin("small")));
        slicer.requests(1);
    }

    @Test
    void a_node_that_was_handed_out_outlives_its_backing_node() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        LockedNode free = await(slicer.stores().nodes().tryLock(id)).orElseThrow();
        Node.Allocation theirs = Node.Allocation.to(request().withId("200-0000000009"));
        await(slicer.stores().nodes().finish(free.with(free.node().withAllocation(theirs))));
        LockedNode lost =
                await(slicer.stores().nodes().resumeLasting(backing, OWNER)).orElseThrow();
        await(slicer.stores().nodes().remove(lost));
        until(backing, false);

        slicer.sweep();

        assertEquals(NodeState.READY, node(id).state());
    }
}
