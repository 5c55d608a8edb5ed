package nodepool.builder.decision;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import nodepool.api.config.DiskImage;
import nodepool.api.driver.WantedImages;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageState;

/**
 * The entries of one build in the images directory.
 *
 * @param image name of the image
 * @param id of the build
 * @param names of its files and directories, sorted
 */
public record LocalBuild(String image, String id, List<String> names) {

    private static final Pattern NAME = Pattern.compile("(.+)-([0-9a-f]{32}|[0-9]{10})\\.(.+)");
    private static final Pattern FORMAT = Pattern.compile("[A-Za-z0-9]+");
    private static final String MANIFESTS = "d";

    public LocalBuild {
        names = names.stream().sorted().toList();
    }

    /** Groups what a directory holds; what is no build's is left out. */
    public static List<LocalBuild> of(Collection<String> names) {
        Map<String, List<String>> byStem = new LinkedHashMap<>();
        for (String name : names) {
            Matcher matcher = NAME.matcher(name);
            if (matcher.matches()) {
                byStem.computeIfAbsent(matcher.group(1) + "-" + matcher.group(2), none -> new ArrayList<>())
                        .add(name);
            }
        }
        List<LocalBuild> builds = new ArrayList<>();
        byStem.forEach((stem, own) -> {
            int dash = stem.lastIndexOf('-');
            builds.add(new LocalBuild(stem.substring(0, dash), stem.substring(dash + 1), own));
        });
        return builds;
    }

    /** The formats in which the image is there. */
    public Set<String> formats() {
        Set<String> formats = new TreeSet<>();
        for (String name : names) {
            String tail = tail(name);
            if (FORMAT.matcher(tail).matches() && !tail.equals(MANIFESTS)) {
                formats.add(format(tail));
            }
        }
        return formats;
    }

    /** What follows the dot after the build's id. */
    private String tail(String name) {
        return name.substring(image.length() + 1 + id.length() + 1);
    }

    /** The image command abbreviates one of them. */
    private static String format(String extension) {
        return extension.equals("squash") ? "squashfs" : extension;
    }

    /** Whether all of it may go: no record needs it. A build under way or failed is left to its builder. */
    public boolean isStray(Optional<ImageBuild> record) {
        return record.isEmpty() || record.get().state() == ImageState.DELETING;
    }

    /**
     * What may go although the build stays: files of formats that were uploaded wherever they are wanted.
     *
     * @param providers that manage images, by name
     */
    public List<String> surplus(
            ImageBuild record, DiskImage configured, ImageFacts facts, Map<String, WantedImages> providers) {
        if (!configured.deleteAfterUpload() || record.state() != ImageState.READY) {
            return List.of();
        }
        Set<String> needed = new TreeSet<>(configured.keepFormats());
        needed.add(MANIFESTS);
        providers.forEach((provider, wanted) -> {
            boolean uploaded = facts.uploadsOf(record).stream()
                    .anyMatch(upload -> upload.provider().equals(provider) && upload.state() == ImageState.READY);
            if (wanted.entry(image).isPresent() && !uploaded) {
                needed.add(wanted.format());
            }
        });
        return names.stream()
                .filter(name -> !needed.contains(format(tail(name).split("\\.", 2)[0])))
                .toList();
    }
}
