package nodepool.driver.staticnode;

import nodepool.driver.staticnode.StaticNode.Identity;

/**
 * What is known of a configured host.
 *
 * @param host which
 * @param status whether it may be used
 * @param reason why it is absent; empty otherwise
 * @param failures failed checks in a row
 */
record HostState(Identity host, Status status, String reason, int failures) {

    /** Whether a host may be used. */
    enum Status {
        /** Not checked yet. */
        UNKNOWN,
        /** The last check went well. */
        PRESENT,
        /** The last check failed; it is repeated with back-off. */
        ABSENT
    }

    static HostState unknown(Identity host) {
        return new HostState(host, Status.UNKNOWN, "", 0);
    }

    HostState present() {
        return new HostState(host, Status.PRESENT, "", 0);
    }

    HostState absent(String why) {
        return new HostState(host, Status.ABSENT, why, failures + 1);
    }
}
