package nodepool.launcher;

import nodepool.api.driver.ProviderConfig;

/** What another entry means for a provider in service. */
enum ProviderChange {
    NONE,
    /** Only the launcher looks at what has changed: limits, priorities. */
    APPLY,
    /** A new generation takes its place. */
    RESTART;

    static ProviderChange of(ProviderConfig running, ProviderConfig wanted) {
        if (running.equals(wanted)) {
            return NONE;
        }
        return running.withoutCapacity().equals(wanted.withoutCapacity()) ? APPLY : RESTART;
    }
}
