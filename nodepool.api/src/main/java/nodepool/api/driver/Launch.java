package nodepool.api.driver;

import java.util.Map;
import java.util.Optional;
import nodepool.api.image.ImageUpload;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;

/**
 * What to make a machine from.
 *
 * @param node its record, locked and building
 * @param request on whose behalf
 * @param pool where
 * @param label what
 * @param hostname to give it
 * @param upload the managed image to start from; absent for a label with a cloud image
 * @param metadata to put on everything that is made, so that it can be told from others' and found again
 * @param attempt from 1
 */
public record Launch(
        Node node,
        NodeRequest request,
        PoolConfig pool,
        LabelConfig label,
        String hostname,
        Optional<ImageUpload> upload,
        Map<String, String> metadata,
        int attempt) {

    /** Key of {@link #metadata}: the node's id. */
    public static final String NODE_ID = "nodepool_node_id";
    /** Key of {@link #metadata}: the pool's name. */
    public static final String POOL_NAME = "nodepool_pool_name";
    /** Key of {@link #metadata}: the provider's name. */
    public static final String PROVIDER_NAME = "nodepool_provider_name";

    public Launch {
        metadata = Map.copyOf(metadata);
    }
}
