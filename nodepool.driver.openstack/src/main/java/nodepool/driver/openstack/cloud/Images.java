package nodepool.driver.openstack.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.openstack.clouds.Service;
import nodepool.driver.openstack.http.Call;

/** Calls to the image service. */
public final class Images {

    private static final String HIDDEN = "os_hidden";

    private final Caller caller;

    public Images(Caller caller) {
        this.caller = caller;
    }

    /**
     * An image.
     *
     * @param status {@code active}, {@code queued}, {@code saving}, …
     * @param md5 of the content, if the service says
     * @param hash of the content, if the service says
     * @param properties every other text of the document
     */
    public record Image(
            String id,
            String name,
            String status,
            Optional<String> md5,
            Optional<Hash> hash,
            Map<String, String> properties) {

        /** A digest of a file. */
        public record Hash(String algorithm, String value) {}

        public Image {
            properties = Map.copyOf(properties);
        }

        static Image of(JsonNode json) {
            Map<String, String> properties = new LinkedHashMap<>();
            json.properties().forEach(entry -> {
                if (entry.getValue().isTextual()) {
                    properties.put(entry.getKey(), entry.getValue().asText());
                }
            });
            return new Image(
                    json.path("id").asText(),
                    json.path("name").asText(),
                    json.path("status").asText(),
                    Server.text(json, "checksum"),
                    Server.text(json, "os_hash_algo")
                            .flatMap(algorithm ->
                                    Server.text(json, "os_hash_value").map(value -> new Hash(algorithm, value))),
                    properties);
        }

        public boolean isActive() {
            return status.equals("active");
        }
    }

    /** One image; absent if there is none. */
    public Optional<Image> image(String id) throws CloudException {
        try {
            return Optional.of(Image.of(caller.get(Service.IMAGE, "/images/" + id)));
        } catch (CloudException e) {
            if (e.fault() == Fault.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** All images with that name; hidden ones if there are no others. */
    public List<Image> named(String name) throws CloudException {
        Call call = Call.get(Service.IMAGE, "/images").with("name", name);
        List<Image> shown = images(call);
        return shown.isEmpty() ? images(call.with(HIDDEN, "true")) : shown;
    }

    /** All images with that value of that property, hidden ones too, which no ordinary listing shows. */
    public List<Image> with(String property, String value) throws CloudException {
        Call call = Call.get(Service.IMAGE, "/images").with(property, value);
        List<Image> all = new ArrayList<>(images(call));
        all.addAll(images(call.with(HIDDEN, "true")));
        return List.copyOf(all);
    }

    /** All images the project sees. */
    public List<Image> all() throws CloudException {
        return images(Call.get(Service.IMAGE, "/images"));
    }

    private List<Image> images(Call call) throws CloudException {
        return caller.list(call, "images").stream().map(Image::of).toList();
    }

    /** Makes an image without content. */
    public Image create(ObjectNode description) throws CloudException {
        return Image.of(
                caller.call(Call.post(Service.IMAGE, "/images", description)).body());
    }

    /** Sends the content of an image, within that time. */
    public void upload(String id, Path file, Duration within) throws CloudException {
        caller.call(Call.upload(Service.IMAGE, "/images/" + id + "/file", file, within));
    }

    /** Removes an image; one that is gone already counts as removed. */
    public void delete(String id) throws CloudException {
        try {
            caller.call(Call.delete(Service.IMAGE, "/images/" + id));
        } catch (CloudException e) {
            if (e.fault() != Fault.NOT_FOUND) {
                throw e;
            }
        }
    }
}
