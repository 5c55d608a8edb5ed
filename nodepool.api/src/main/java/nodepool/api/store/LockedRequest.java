package nodepool.api.store;

import nodepool.api.request.NodeRequest;

/**
 * A request whose lock this process holds.
 *
 * @param request as read or written last under the lock
 * @param lock guards it
 */
public record LockedRequest(NodeRequest request, HeldLock lock) {

    /** With another content, not stored yet. */
    public LockedRequest with(NodeRequest changed) {
        return new LockedRequest(changed, lock);
    }
}
