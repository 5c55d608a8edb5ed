package nodepool.driver.openstack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.ManagedImages.NewImage;
import nodepool.driver.openstack.cloud.Caller;
import nodepool.driver.openstack.cloud.Images;
import nodepool.driver.openstack.cloud.Images.Image;
import nodepool.driver.openstack.clouds.CloudSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one file to the image service, streamed, and checks that what arrived is what was sent. Blocks for hours. */
final class ImageUpload {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.openstack");

    private static final Duration LOOK = Duration.ofSeconds(2);
    private static final int BLOCK = 1 << 16;

    private final CloudSettings.Images settings;
    private final Images images;
    private final Caller caller;
    private final Duration limit;
    private final LongSupplier nanoTime;

    /** @param limit for all of one upload */
    ImageUpload(CloudSettings.Images settings, Images images, Caller caller, Duration limit, LongSupplier nanoTime) {
        this.settings = settings;
        this.images = images;
        this.caller = caller;
        this.limit = limit;
        this.nanoTime = nanoTime;
    }

    /** The id of the image, usable. What an interrupted upload left is used if it is whole, and removed otherwise. */
    String upload(NewImage image, Path file) throws CloudException {
        if (settings.asTasks()) {
            throw new CloudException(
                    Fault.BAD_REQUEST,
                    "image_api_use_tasks: uploads through object storage are not part of this version");
        }
        long end = nanoTime.getAsLong() + limit.toNanos();
        String md5 = image.md5().isPresent() ? image.md5().get() : md5(file);
        for (Image before : leftovers(image)) {
            if (before.isActive() && isWhole(before, md5, image)) {
                log.info("Image {} was uploaded already as {}", image.name(), before.id());
                return before.id();
            }
            images.delete(before.id());
        }
        Image made = images.create(description(image));
        try {
            images.upload(made.id(), file, left(end, image));
            Image arrived = await(made.id(), image, end);
            if (!isWhole(arrived, md5, image)) {
                throw new CloudException(
                        Fault.TRANSIENT,
                        "image %s arrived damaged: checksum %s, sent %s"
                                .formatted(image.name(), arrived.md5().orElse("unknown"), md5));
            }
            return arrived.id();
        } catch (CloudException e) {
            remove(made.id());
            throw e;
        }
    }

    /** The failure of the upload matters more than that of its clean-up, which the sweep repeats. */
    private void remove(String id) {
        try {
            images.delete(id);
        } catch (CloudException e) {
            log.warn("Could not delete the remains of an upload, image {}: {}", id, e.getMessage());
        }
    }

    private List<Image> leftovers(NewImage image) throws CloudException {
        Optional<String> upload = Optional.ofNullable(image.metadata().get(ManagedImages.UPLOAD_ID));
        if (upload.isEmpty()) {
            return List.of();
        }
        return images.with(ManagedImages.UPLOAD_ID, upload.get()).stream()
                .filter(found -> image.metadata().entrySet().stream()
                        .filter(entry -> entry.getKey().startsWith("nodepool_"))
                        .allMatch(entry ->
                                entry.getValue().equals(found.properties().get(entry.getKey()))))
                .toList();
    }

    private Image await(String id, NewImage image, long end) throws CloudException {
        while (true) {
            Image now = images.image(id)
                    .orElseThrow(() -> new CloudException(Fault.TRANSIENT, "image " + image.name() + " has vanished"));
            if (now.isActive()) {
                return now;
            }
            if (!now.status().equals("queued") && !now.status().equals("saving")) {
                throw new CloudException(Fault.TRANSIENT, "image " + image.name() + " ended in status " + now.status());
            }
            Duration left = left(end, image);
            caller.pause(left.compareTo(LOOK) < 0 ? left : LOOK);
        }
    }

    private Duration left(long end, NewImage image) throws CloudException {
        Duration left = Duration.ofNanos(end - nanoTime.getAsLong());
        if (left.isNegative() || left.isZero()) {
            throw new CloudException(
                    Fault.TIMEOUT, "image " + image.name() + " was not uploaded in " + limit.toSeconds() + " s");
        }
        return left;
    }

    private static boolean isWhole(Image arrived, String md5, NewImage image) {
        boolean sameMd5 = arrived.md5().map(md5::equalsIgnoreCase).orElse(true);
        boolean sameSha = image.sha256()
                .flatMap(sent -> arrived.hash()
                        .filter(hash -> hash.algorithm().equals("sha256"))
                        .map(hash -> hash.value().equalsIgnoreCase(sent)))
                .orElse(true);
        return sameMd5 && sameSha;
    }

    private ObjectNode description(NewImage image) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", image.name())
                .put("disk_format", image.format())
                .put("container_format", "bare")
                .put("visibility", "private");
        settings.properties().forEach((key, value) -> put(json, key, value));
        image.metadata().forEach((key, value) -> put(json, key, value));
        json.put("owner_specified.openstack.md5", image.md5().orElse(""))
                .put("owner_specified.openstack.sha256", image.sha256().orElse(""))
                .put("owner_specified.openstack.object", "images/" + image.name());
        return json;
    }

    /** Properties are text, but for those the service knows itself. */
    private static void put(ObjectNode json, String key, String value) {
        switch (key) {
            case "os_hidden", "protected", "is_protected" ->
                json.put(key.equals("is_protected") ? "protected" : key, isYes(value));
            case "min_disk", "min_ram" -> {
                if (value.matches("\\d{1,9}")) {
                    json.put(key, Integer.parseInt(value));
                } else {
                    json.put(key, value);
                }
            }
            case "tags" -> {
                ArrayNode tags = json.putArray(key);
                for (String tag : value.split(",")) {
                    tags.add(tag.strip());
                }
            }
            default -> json.put(key, value);
        }
    }

    private static boolean isYes(String value) {
        return Map.of("true", true, "yes", true, "1", true).getOrDefault(value.toLowerCase(Locale.ROOT), false);
    }

    private static String md5(Path file) throws CloudException {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            byte[] block = new byte[BLOCK];
            for (int read = in.read(block); read >= 0; read = in.read(block)) {
                digest.update(block, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException unreadable) {
            throw new CloudException(
                    Fault.BAD_REQUEST, "cannot read " + file + ": " + unreadable.getMessage(), unreadable);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }
}
