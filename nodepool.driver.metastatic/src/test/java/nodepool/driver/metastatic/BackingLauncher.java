package nodepool.driver.metastatic;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.NodeMemo;
import nodepool.api.store.RequestStore.Claim;
import nodepool.api.store.Stores;

/** The launcher of another provider: fulfils requests for backing nodes, or does not. */
final class BackingLauncher {

    static final String PROVIDER = "aurora";
    static final Node.Addresses ADDRESSES = new Node.Addresses(
            Optional.of("203.0.113.40"), Optional.of("203.0.113.40"), Optional.of("10.0.0.4"), Optional.empty());
    static final Node.Connection LOGIN = new Node.Connection(
            JsonValue.of(2222),
            Optional.of("ssh"),
            Optional.of("worker"),
            Optional.of("sh"),
            Optional.of("/usr/bin/python3"),
            List.of("ssh-rsa AAAA"));

    private final Stores stores;
    private final Clock clock;

    BackingLauncher(Stores stores, Clock clock) {
        this.stores = stores;
        this.clock = clock;
    }

    /** @return id of the node it was fulfilled with */
    String fulfil(NodeRequest request) {
        Node.Machine machine = Node.Machine.NONE
                .withLauncher("other", clock.instant())
                .withAttributes(new JsonObject(
                        Map.of("rack", JsonValue.of("r1"), "sliced", JsonValue.of("by the backing provider"))));
        Node draft = Node.draft(
                        NodeState.INIT,
                        request.wanted().nodeTypes(),
                        Node.Place.in(PROVIDER, "main").withAz(Optional.of("az1")),
                        machine,
                        clock.instant())
                .withAllocation(Node.Allocation.to(request));
        Claim claim = Events.await(stores.requests()
                        .claim(request, request.withState(RequestState.PENDING, clock.instant()), List.of(draft)))
                .orElseThrow();
        Node made = claim.nodes()
                .get(0)
                .withState(NodeState.BUILDING, clock.instant())
                .withAddresses(ADDRESSES)
                .withConnection(LOGIN);
        LockedNode locked =
                Events.await(stores.nodes().lockNew(made, firstMemo())).orElseThrow();
        LockedRequest done = claim.request()
                .with(claim.request()
                        .request()
                        .withNodes(List.of(made.id()))
                        .withState(RequestState.FULFILLED, clock.instant()));
        Events.await(stores.requests()
                .finish(done, List.of(locked.with(locked.node().withState(NodeState.READY, clock.instant())))));
        return made.id();
    }

    void fail(NodeRequest request) {
        LockedRequest locked =
                Events.await(stores.requests().tryLock(request.id())).orElseThrow();
        Events.await(stores.requests()
                .finish(locked.with(locked.request().withState(RequestState.FAILED, clock.instant())), List.of()));
    }

    NodeMemo firstMemo() {
        return new NodeMemo(NodeMemo.Phase.CREATE, 1, clock.instant(), Optional.empty(), Map.of());
    }
}
