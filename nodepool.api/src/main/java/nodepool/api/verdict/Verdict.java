package nodepool.api.verdict;

/** The answer of one pool to one request. Kept, shown, and never only logged. */
public sealed interface Verdict {

    /** Takes it. */
    record Accept() implements Verdict {}

    /** Could serve it, not now. The pool looks again when {@code until} may have changed. */
    record Defer(Reason until) implements Verdict {}

    /** Can never serve it as things are, and says so in the request, so that others may fail it. */
    record Decline(Reason because) implements Verdict {}
}
