package nodepool.api.verdict;

/**
 * Why something did not happen, in a form a person can read and a program can count.
 *
 * @param code stable, documented, used as a metric label
 * @param detail the numbers: what was asked, what is used, what would change it. Never a stack trace
 */
public record Reason(Code code, String detail) {

    /** What the reader can do about it. */
    public enum Kind {
        /** It passes by itself. */
        WAIT,
        /** The configuration forbids it. */
        FIX_CONFIG,
        /** The cloud or the host must be repaired. */
        FIX_CLOUD,
        /** A fault of ours. */
        INTERNAL
    }

    /** Stable codes; each says by its kind what the reader can do. */
    public enum Code {
        POOL_DISABLED(Kind.FIX_CONFIG),
        LABEL_UNKNOWN(Kind.FIX_CONFIG),
        LABEL_BROKEN(Kind.FIX_CONFIG),
        IMAGE_MISSING(Kind.WAIT),
        EXCEEDS_QUOTA(Kind.FIX_CONFIG),
        QUOTA_FULL(Kind.WAIT),
        NO_FREE_NODE(Kind.WAIT),
        TENANT_LIMIT(Kind.WAIT),
        MAX_CONCURRENCY(Kind.WAIT),
        OTHER_POOL_PREFERRED(Kind.WAIT),
        OTHER_PROVIDER_WANTED(Kind.WAIT),
        POOL_PAUSED(Kind.WAIT),
        DRIVER_ABSENT(Kind.WAIT),
        PROVIDER_STARTING(Kind.WAIT),
        PROVIDER_FAILED(Kind.FIX_CLOUD),
        PROVIDER_DEGRADED(Kind.FIX_CLOUD),
        ALREADY_DECLINED(Kind.WAIT),
        LAUNCH_FAILED(Kind.FIX_CLOUD),
        MIN_READY_AT_QUOTA(Kind.WAIT),
        POOL_STOPPING(Kind.WAIT),
        INTERNAL_ERROR(Kind.INTERNAL);

        private final Kind kind;

        Code(Kind kind) {
            this.kind = kind;
        }

        /** What the reader can do about it. */
        public Kind kind() {
            return kind;
        }
    }

    /** What the reader can do about it. */
    public Kind kind() {
        return code.kind();
    }

    /** A reason with its numbers. */
    public static Reason of(Code code, String detail) {
        return new Reason(code, detail);
    }

    /** Not enough of a resource left right now. */
    public static Reason quotaFull(String resource, double asked, double free) {
        return new Reason(Code.QUOTA_FULL, "%s: asked %.0f, %.0f free".formatted(resource, asked, Math.max(0, free)));
    }
}
