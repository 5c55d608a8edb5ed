package nodepool.webapp.rest;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A collection of the interface that is one of the commands' lists. */
enum Resource {
    NODES("nodes", "node-list", "id", "Machines, in whatever state."),
    REQUESTS("requests", "request-list", "id", "What clients, and launchers for their stock, have asked for."),
    UPLOADS("uploads", "image-list", "", "Images in the clouds."),
    BUILDS("builds", "dib-image-list", "id", "Images as they were built."),
    IMAGES("images", "image-status", "image", "Names of images, and what operators have asked of them."),
    LABELS("labels", "label-list", "label", "What requests can ask for."),
    COMPONENTS("components", "component-list", "", "Launchers, their pools, and builders that are running.");

    private final String word;
    private final String list;
    private final String id;
    private final String summary;

    Resource(String word, String list, String id, String summary) {
        this.word = word;
        this.list = list;
        this.id = id;
        this.summary = summary;
    }

    /** The last part of its path. */
    String word() {
        return word;
    }

    /** Name of the command's list. */
    String list() {
        return list;
    }

    /** The field by which one of it is found; absent if there is no such field. */
    Optional<String> id() {
        return id.isEmpty() ? Optional.empty() : Optional.of(id);
    }

    /** What it is, in words. */
    String summary() {
        return summary;
    }

    /** The resource of that path. */
    static Optional<Resource> of(String word) {
        return all().stream().filter(one -> one.word.equals(word)).findFirst();
    }

    static List<Resource> all() {
        return Arrays.asList(values());
    }
}
