/**
 * Several launchers that are killed and restarted while customers use them, and checks of what has happened. The checks
 * share no code with the launcher: they read ZooKeeper's transaction log, the cloud's journal and what the customers
 * have written down. Start at {@link nodepool.itest.fleet.SeveralLaunchersIT}.
 */
@NullMarked
package nodepool.itest.fleet;

import org.jspecify.annotations.NullMarked;
