package nodepool.config;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Label;
import nodepool.api.config.Problem.Severity;
import nodepool.api.config.Section;

/** Checks what a provider refers to: labels and images, whichever its driver is. */
record References(Map<String, Label> labels, Map<String, DiskImage> images, DiskImages all, Problems problems) {

    void check(Section provider, String name) {
        Set<String> uploaded = names(provider, "diskimages");
        Set<String> inCloud = names(provider, "cloud-images");
        Set<String> used = new HashSet<>();
        for (Section image : provider.sections("diskimages")) {
            image.text("name").ifPresent(one -> main(image, "name", one, "diskimage " + one + " in provider " + name));
        }
        for (Section pool : provider.sections("pools")) {
            List<Section> entries = pool.sections("labels");
            for (Section label : entries) {
                String text = label.require("name");
                top(label, "name", text, name);
                label.text("diskimage").ifPresent(image -> {
                    used.add(image);
                    diskImage(label, image, uploaded, name);
                });
                label.text("cloud-image")
                        .filter(image -> !inCloud.contains(image))
                        .ifPresent(image -> error(label, "cloud-image", missing("cloud-image", image, name, text)));
            }
            if (entries.isEmpty()) {
                pool.texts("labels").forEach(text -> top(pool, "labels", text, name));
            }
        }
        for (Section image : provider.sections("diskimages")) {
            if (!used.contains(image.require("name"))) {
                problems.add(Severity.NOTICE, image.at(), image.path(), "no label uses this image");
            }
        }
    }

    private static Set<String> names(Section provider, String list) {
        Set<String> names = new LinkedHashSet<>();
        provider.sections(list).forEach(one -> one.text("name").ifPresent(names::add));
        return names;
    }

    private void top(Section at, String key, String label, String provider) {
        if (!label.isEmpty() && !labels.containsKey(label)) {
            error(at, key, "label " + label + " in provider " + provider + " not in top-level labels");
        }
    }

    private void diskImage(Section label, String image, Set<String> uploaded, String provider) {
        String who = "label " + label.require("name") + " in provider " + provider + " uses diskimage " + image;
        if (main(label, "diskimage", image, who + " which") && !uploaded.contains(image)) {
            error(label, "diskimage", missing("diskimage", image, provider, label.require("name")));
        }
    }

    private static String missing(String kind, String image, String provider, String label) {
        return kind + " " + image + " does not exist in provider " + provider + " but is referenced in label " + label;
    }

    /** Whether the image is in the main list and is built. */
    private boolean main(Section at, String key, String image, String who) {
        if (all.isAbstract(image)) {
            error(at, key, who + " is abstract; abstract entries are never built");
            return false;
        }
        if (!images.containsKey(image)) {
            error(at, key, who + " is not defined in the main diskimages list");
            return false;
        }
        return true;
    }

    /** Unless the driver has said so itself. */
    private void error(Section at, String key, String message) {
        if (!problems.hasErrorAt(at.at(key))) {
            problems.error(at.at(key), YamlNodes.join(at.path(), key), message);
        }
    }
}
