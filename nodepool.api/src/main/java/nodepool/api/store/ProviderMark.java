package nodepool.api.store;

/** What an operator wants of a provider. Counts for every launcher, and outlives all of them. */
public enum ProviderMark {
    /** It takes no request. What it has in hand goes on, and its nodes live out their lives. */
    PAUSED,
    /** It takes no request and keeps no stock, so that nothing of it is left when its nodes have been given back. */
    DRAINED
}
