package nodepool.api.driver;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a provider's entry says about the images that are built for it and uploaded to it. One that manages images but lists
 * none has an empty list: its uploads are then withdrawn.
 *
 * @param format of the files it takes, such as {@code qcow2}; every image listed here is built in it
 * @param nameFormat of an upload's name in the cloud: text with {@code {image_name}}, {@code {upload_id}} and {@code
 *     {timestamp}}
 * @param hook program that is run after each upload with the provider's name, the external id and the local file; if it
 *     fails, the upload does
 * @param entries in the order of the file
 */
public record WantedImages(String format, String nameFormat, Optional<String> hook, List<Entry> entries) {

    public WantedImages {
        entries = List.copyOf(entries);
    }

    /**
     * One image of the main list.
     *
     * @param image its name
     * @param paused built, but not uploaded here while true
     * @param properties of its uploads, over those of the main entry
     */
    public record Entry(String image, boolean paused, Map<String, String> properties) {
        public Entry {
            properties = Map.copyOf(properties);
        }
    }

    /** The entry of that image. */
    public Optional<Entry> entry(String image) {
        return entries.stream().filter(entry -> entry.image().equals(image)).findFirst();
    }
}
