package nodepool.api.plan;

import java.util.Locale;

/**
 * One thing that would happen.
 *
 * @param what happens
 * @param kind of what it happens to
 * @param name of it
 * @param detail why, or what else the reader should know, in words; may be empty
 */
public record PlannedChange(What what, Kind kind, String name, String detail) {

    /** What can happen. */
    public enum What {
        START,
        STOP,
        RESTART,
        /** Taken over without a restart. */
        APPLY,
        BUILD,
        UPLOAD,
        LAUNCH,
        DELETE,
        DECLINE;

        /** As it is shown. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What it can happen to. */
    public enum Kind {
        PROVIDER,
        LABEL,
        REQUEST,
        NODE,
        IMAGE,
        /** A build of an image: {@code image-buildid}. */
        IMAGE_BUILD,
        /** An upload of a build: its path. */
        IMAGE_UPLOAD;

        /** As it is shown. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
