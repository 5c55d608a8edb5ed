/**
 * The shared state in ZooKeeper, and the only user of Curator: connection, live copy of the tree, locks, documents. Start at
 * {@link nodepool.zk.ZkStores}. The wire contract is written in docs/wire.md.
 */
@NullMarked
package nodepool.zk;

import org.jspecify.annotations.NullMarked;
