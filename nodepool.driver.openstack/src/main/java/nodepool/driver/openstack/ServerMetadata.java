package nodepool.driver.openstack;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import nodepool.api.driver.Launch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a server says about itself: who made it, from what, and the properties of its label. */
final class ServerMetadata {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.openstack");

    private static final int LONGEST = 255;

    private ServerMetadata() {}

    /** Later ones win: groups and image, the label's properties, who made it. */
    static Map<String, String> of(OpenStackLabel label, Launch launch) {
        String image = label.diskImage().or(label::cloudImage).orElse("");
        String provider = launch.metadata().getOrDefault(Launch.PROVIDER_NAME, "");
        Map<String, String> all = new TreeMap<>();
        all.put("groups", String.join(",", provider, image, label.name()));
        all.put("nodepool_image_name", image);
        all.put("nodepool_node_label", label.name());
        all.putAll(label.properties());
        RequestTemplate request = new RequestTemplate(launch.request());
        label.dynamicProperties().forEach((name, text) -> {
            Optional<String> filled = request.fill(text);
            filled.ifPresentOrElse(
                    value -> all.put(name, value),
                    () -> log.warn("Label {}: property {} cannot be made of {}; left out", label.name(), name, text));
        });
        all.putAll(launch.metadata());
        all.replaceAll((name, value) -> value.length() > LONGEST ? value.substring(0, LONGEST) : value);
        return all;
    }
}
