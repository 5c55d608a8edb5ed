package nodepool.driver.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import nodepool.api.quota.QuotaInformation;

/** The services' own words for limits, as ours. A function of its arguments. */
final class CloudLimits {

    private static final Map<String, String> COMPUTE = Map.of(
            "maxTotalInstances", QuotaInformation.INSTANCES,
            "maxTotalCores", QuotaInformation.CORES,
            "maxTotalRAMSize", QuotaInformation.RAM);

    private static final Map<String, String> VOLUMES = Map.of(
            "maxTotalVolumes", QuotaInformation.VOLUMES,
            "maxTotalVolumeGigabytes", QuotaInformation.VOLUME_GB);

    private CloudLimits() {}

    /** Negative means unlimited, as what is missing does. */
    static QuotaInformation of(JsonNode compute, JsonNode volumes) {
        Map<String, Double> limits = new HashMap<>();
        take(compute, COMPUTE, limits);
        take(volumes, VOLUMES, limits);
        return QuotaInformation.limits(limits);
    }

    private static void take(JsonNode document, Map<String, String> words, Map<String, Double> limits) {
        words.forEach((word, resource) -> {
            JsonNode value = document.path(word);
            if (value.isNumber() && value.asDouble() >= 0) {
                limits.put(resource, value.asDouble());
            }
        });
    }
}
