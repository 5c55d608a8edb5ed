package nodepool.metrics.source;

import java.util.HashMap;
import java.util.Map;
import nodepool.api.config.Configuration;
import nodepool.api.store.Snapshot;

/** Builds that were asked for by command. */
final class ImageGauges {

    private ImageGauges() {}

    static Map<Map<String, String>, Double> requestsByImage(Snapshot snapshot, Configuration configuration) {
        Map<Map<String, String>, Double> requests = new HashMap<>();
        for (String image : configuration.diskImages().keySet()) {
            requests.put(Map.of("image", image), snapshot.isBuildRequested(image) ? 1.0 : 0.0);
        }
        return requests;
    }
}
