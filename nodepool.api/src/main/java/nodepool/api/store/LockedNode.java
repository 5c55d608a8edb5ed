package nodepool.api.store;

import nodepool.api.node.Node;

/**
 * A node whose lock this process holds.
 *
 * @param node as read or written last under the lock
 * @param lock guards it
 */
public record LockedNode(Node node, HeldLock lock) {

    /** With another content, not stored yet. */
    public LockedNode with(Node changed) {
        return new LockedNode(changed, lock);
    }
}
