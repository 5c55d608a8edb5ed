package nodepool.itest.fleet;

import java.time.Instant;
import java.util.Set;

/**
 * The sudden death of a launcher.
 *
 * @param launcher its name in the test
 * @param pools launcher ids of the pools it ran
 */
record Kill(String launcher, Instant at, Set<String> pools) {}
