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
        POOL_DISABLED(Kind.FIX_CONFIG, "raise max-servers of the pool"),
        LABEL_UNKNOWN(Kind.FIX_CONFIG, "add the label to a pool, or ask for another one"),
        LABEL_BROKEN(Kind.FIX_CONFIG, "correct what the label asks of the cloud"),
        IMAGE_MISSING(Kind.WAIT, "an image of this label must be uploaded first"),
        EXCEEDS_QUOTA(Kind.FIX_CONFIG, "ask for less at once, or raise the limit"),
        QUOTA_FULL(Kind.WAIT, "goes on when a node is gone or a limit is raised"),
        NO_FREE_NODE(Kind.WAIT, "goes on when a node with this label is given back"),
        TENANT_LIMIT(Kind.WAIT, "goes on when nodes of the tenant are given back or its limit is raised"),
        MAX_CONCURRENCY(Kind.WAIT, "goes on when a launch has ended"),
        OTHER_POOL_PREFERRED(
                Kind.WAIT, "the other pool answers first; this one takes it if that one declines or is full"),
        OTHER_PROVIDER_WANTED(Kind.WAIT, "the wanted provider answers first; any other takes it if that one declines"),
        POOL_PAUSED(Kind.WAIT, "goes on when the requests before it are served"),
        PROVIDER_PAUSED(Kind.WAIT, "nodepool provider-resume lets it serve again"),
        DRIVER_ABSENT(Kind.WAIT, "install the driver"),
        PROVIDER_STARTING(Kind.WAIT, "goes on when the provider has started"),
        PROVIDER_FAILED(Kind.FIX_CLOUD, "the provider is tried again by itself; see its reason"),
        PROVIDER_DEGRADED(Kind.FIX_CLOUD, "goes on when the provider answers again"),
        ALREADY_DECLINED(Kind.WAIT, "nothing: the other pools decide"),
        LAUNCH_FAILED(Kind.FIX_CLOUD, "see why the cloud could not make the machine"),
        MIN_READY_AT_QUOTA(Kind.WAIT, "nothing: stock is made again when there is room"),
        STOCK_COMPLETE(Kind.WAIT, "nothing: there is as much stock as min-ready asks for"),
        POOL_STOPPING(Kind.WAIT, "another pool, or this one after its restart, takes it"),
        INTERNAL_ERROR(Kind.INTERNAL, "report it with the log");

        private final Kind kind;
        private final String remedy;

        Code(Kind kind, String remedy) {
            this.kind = kind;
            this.remedy = remedy;
        }

        /** What would change it, in words for an operator. */
        public String remedy() {
            return remedy;
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
