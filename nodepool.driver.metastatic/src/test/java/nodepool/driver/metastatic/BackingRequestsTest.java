package nodepool.driver.metastatic;

import static nodepool.driver.metastatic.Events.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.LockedNode;
import nodepool.api.store.Stores;
import org.junit.jupiter.api.Test;

/** What becomes of the requests for backing nodes. */
class BackingRequestsTest extends MetastaticScene {

    @Test
    void a_request_says_for_whom_it_is() throws Exception {
        slicer.step(slicer.begin("small"));

        NodeRequest request = slicer.requests(1).get(0);

        assertEquals("100", request.priority());
        assertEquals(List.of("big"), request.wanted().nodeTypes());
        assertEquals(Optional.of(OWNER), request.asker().requestor());
        assertEquals(Optional.empty(), request.asker().tenantName());
        assertTrue(request.asker().eventId().orElseThrow().matches("[0-9a-f]{32}"));
    }

    @Test
    void a_request_is_cancelled_when_the_last_node_that_waits_for_it_goes() throws Exception {
        String one = slicer.begin("small");
        String two = slicer.begin("small");
        slicer.step(one);
        slicer.step(two);
        slicer.requests(1);

        slicer.remove(one);
        slicer.sweep();
        slicer.requests(1);

        slicer.remove(two);
        slicer.sweep();
        slicer.requests(0);
    }

    @Test
    void a_request_for_a_label_that_is_gone_is_cancelled() throws Exception {
        slicer.step(slicer.begin("small"));
        slicer.requests(1);

        SlotLauncher next =
                new SlotLauncher(slicer.stores(), clock, config(new MetastaticLabel("other", PLAIN, false)));
        next.sweep();

        next.requests(0);
    }

    @Test
    void an_attempt_fails_with_its_request_and_the_next_one_asks_anew() throws Exception {
        String id = slicer.begin("small");
        slicer.step(id);
        NodeRequest refused = slicer.requests(1).get(0);
        aurora.fail(refused);
        Events.first(
                slicer.stores().snapshots(),
                now -> now.request(refused.id())
                        .filter(request -> request.state().isFinal()));

        CloudException failure = assertThrows(CloudException.class, () -> slicer.step(id));
        assertEquals(CloudException.Fault.MACHINE_FAILED, failure.fault());
        slicer.attemptFailed(id);
        slicer.step(id);

        slicer.requests(2);
        clock.advance(Duration.ofSeconds(31));
        slicer.sweep();
        assertNotEquals(refused.id(), slicer.requests(1).get(0).id());
    }

    @Test
    void a_backing_node_that_somebody_else_has_locked_is_given_up() throws Exception {
        String id = slicer.begin("small");
        slicer.step(id);
        NodeRequest request = slicer.requests(1).get(0);
        String backing = aurora.fulfil(request);
        Stores theirs = stores();
        assertTrue(await(theirs.nodes().tryLock(backing)).isPresent());
        untilReady(List.of(backing));

        assertInstanceOf(Step.Again.class, slicer.step(id));
        assertEquals(request.id(), slicer.requests(1).get(0).id());
        clock.advance(Duration.ofSeconds(31));
        slicer.step(id);
        slicer.requests(0);

        slicer.step(id);
        assertNotEquals(request.id(), slicer.requests(1).get(0).id());
    }

    @Test
    void a_backing_node_that_was_given_to_somebody_else_is_not_taken() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        LockedNode theirs = await(slicer.stores().nodes().tryLock(backing)).orElseThrow();
        await(slicer.stores().nodes().finish(theirs.with(theirs.node().withAllocation(Node.Allocation.NONE))));

        assertInstanceOf(Step.Again.class, slicer.step(id));

        assertEquals(NodeState.READY, node(backing).state());
        assertTrue(await(slicer.stores().nodes().tryLock(backing)).isPresent());
    }
}
