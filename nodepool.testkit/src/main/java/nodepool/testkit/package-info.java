/**
 * Real parts for tests, each a process of its own on a loopback port: start at {@link
 * nodepool.testkit.ZooKeeperProcess}, and ask {@link nodepool.testkit.RealPart} first whether the machine has it. Time
 * is by hand: {@link nodepool.testkit.ManualClock}.
 */
@NullMarked
package nodepool.testkit;

import org.jspecify.annotations.NullMarked;
