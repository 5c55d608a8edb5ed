package nodepool.driver.fake;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Type;
import nodepool.api.config.Section;
import nodepool.api.driver.WantedImages;
import nodepool.api.json.JsonValue.JsonObject;

/**
 * How images get into the fake cloud.
 *
 * @param wanted what to upload
 * @param refusals uploads the cloud refuses before it takes any
 */
record FakeUploads(WantedImages wanted, int refusals) {

    static final List<Key> KEYS = List.of(
            Key.optional("image-name-format", Type.TEXT, "Name of an upload, with fields in braces")
                    .byDefault("{image_name}-{timestamp}"),
            Key.optional("post-upload-hook", Type.TEXT, "Program to run after each upload"),
            Key.optional("fake-image-format", Type.TEXT, "Format of the image files it takes")
                    .byDefault("qcow2"),
            Key.optional("fake-refused-uploads", Type.COUNT, "Uploads it refuses before it takes any")
                    .byDefault(0),
            Key.optional(
                    "diskimages",
                    Type.listOf(
                            Schema.of(
                                    Key.required("name", Type.TEXT, "An image of the main list"),
                                    Key.optional("pause", Type.BOOL, "Whether it is not uploaded")
                                            .byDefault(false),
                                    Key.optional("meta", Type.mapOf(Type.TEXT_OR_INT), "Properties of its uploads")),
                            "name"),
                    "Images to upload"));

    static FakeUploads read(Section section) {
        List<WantedImages.Entry> entries = new ArrayList<>();
        for (Section entry : section.sections("diskimages")) {
            String name = entry.require("name");
            entries.add(new WantedImages.Entry(name, entry.bool("pause", false), texts(entry)));
        }
        return new FakeUploads(
                new WantedImages(
                        section.text("fake-image-format").orElse("qcow2"),
                        section.text("image-name-format").orElse("{image_name}-{timestamp}"),
                        section.text("post-upload-hook"),
                        entries),
                section.integer("fake-refused-uploads", 0));
    }

    private static Map<String, String> texts(Section entry) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (entry.json("meta").orElse(JsonObject.EMPTY) instanceof JsonObject object) {
            object.members().forEach((name, value) -> value.asText().ifPresent(text -> texts.put(name, text)));
        }
        return texts;
    }
}
