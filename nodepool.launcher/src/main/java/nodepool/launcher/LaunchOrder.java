package nodepool.launcher;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.Launch;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Step;
import nodepool.api.image.ImageUpload;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.NodeMemo;

/**
 * What a provider is told to make.
 *
 * @param means of the pool
 * @param request for which it is made
 * @param pool its configuration
 * @param label of the node
 */
record LaunchOrder(PoolMeans means, NodeRequest request, PoolConfig pool, LabelConfig label) {

    /** Takes the next step, with the image that is current now; fails with a {@link CloudException}. */
    CompletionStage<Step> next(RunningProvider generation, Node node, NodeMemo memo) {
        Optional<ImageUpload> upload = label.diskImage().flatMap(this::currentUpload);
        if (label.diskImage().isPresent() && upload.isEmpty()) {
            return CompletableFuture.failedStage(new CloudException(
                    Fault.NO_IMAGE,
                    "Unable to find current cloud image " + label.diskImage().get()));
        }
        Launch launch = new Launch(
                node,
                request,
                pool,
                label,
                "np" + node.id(),
                upload,
                Map.of(
                        Launch.NODE_ID, node.id(),
                        Launch.POOL_NAME, pool.name(),
                        Launch.PROVIDER_NAME, means.slot().name()),
                memo.attempt());
        NodeRequestHandler handler = generation.provider().getRequestHandler(pool, request);
        return generation.call(() -> handler.launch(launch, memo.steps()));
    }

    private Optional<ImageUpload> currentUpload(String image) {
        return means.stores()
                .snapshots()
                .current()
                .flatMap(now -> now.currentUpload(image, means.slot().name()));
    }
}
