package nodepool.api.image;

import java.util.Optional;

/** Where a build or an upload stands. Builds use {@code BUILDING}, uploads {@code UPLOADING}; the rest is common. */
public enum ImageState {
    BUILDING("building"),
    UPLOADING("uploading"),
    READY("ready"),
    DELETING("deleting"),
    FAILED("failed");

    private final String wireName;

    ImageState(String wireName) {
        this.wireName = wireName;
    }

    /** The word in the stored document. */
    public String wireName() {
        return wireName;
    }

    /** The state of that word, absent for a word no process may write. */
    public static Optional<ImageState> of(String wireName) {
        for (ImageState state : values()) {
            if (state.wireName.equals(wireName)) {
                return Optional.of(state);
            }
        }
        return Optional.empty();
    }
}
