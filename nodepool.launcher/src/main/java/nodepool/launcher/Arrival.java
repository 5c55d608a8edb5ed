package nodepool.launcher;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.driver.Instance;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.PoolConfig;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;

/**
 * The way from a machine that is there to a node that can be used: its addresses, and the keys its host shows.
 *
 * @param means of the pool
 * @param pool its configuration
 * @param label of the node
 * @param scanning told the node whose keys are being gathered
 */
record Arrival(PoolMeans means, PoolConfig pool, LabelConfig label, Consumer<Node> scanning) {

    /**
     * Completes with the ready node, not stored yet; fails with a {@link CloudException} if nobody could reach the machine.
     *
     * @param node which was launched
     */
    CompletionStage<Node> of(Node node, Instance instance) {
        Node arrived = NodeFromInstance.apply(node, instance, pool);
        if (!label.hostKeyChecking() || !arrived.connection().hostKeys().isEmpty()) {
            return CompletableFuture.completedFuture(ready(arrived));
        }
        String address = arrived.addresses().interfaceIp().orElse("");
        if (address.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new CloudException(Fault.NO_ADDRESS, "the machine has no usable address"));
        }
        scanning.accept(arrived);
        return means.scanner()
                .scan(target(arrived, address))
                .thenApply(keys ->
                        ready(arrived.withConnection(arrived.connection().withHostKeys(keys))));
    }

    /** Tells the provider that nobody could reach its machine, if it wants to know. */
    void failed(Node arrived, CloudException fault) {
        if (fault.fault() != Fault.NO_ADDRESS) {
            means.slot()
                    .current()
                    .flatMap(generation -> generation.provider().notifications())
                    .ifPresent(told -> told.nodescanFailedNotification(arrived));
        }
    }

    private HostKeyScanner.Target target(Node node, String address) {
        String type = node.connection().type().orElse("ssh");
        return new HostKeyScanner.Target(
                address,
                node.connection().portNumber().orElse(22),
                type.equals("ssh") || type.equals("network_cli"),
                means.slot().config().bootTimeout());
    }

    private Node ready(Node node) {
        Instant now = means.clock().instant();
        return node.withState(NodeState.READY, now);
    }
}
