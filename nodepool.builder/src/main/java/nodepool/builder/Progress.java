package nodepool.builder;

/** What became of one step of a withdrawal. */
enum Progress {
    /** Something was changed: look what comes next. */
    CHANGED,
    /** There is nothing to do: what was seen is no longer so. */
    STALE,
    /** Someone else is at it, or the cloud refuses: try again later. */
    LATER
}
