package nodepool.api.config;

import java.time.Duration;

/**
 * What requestors ask for.
 *
 * @param name of the label
 * @param minReady ready nodes kept in stock; 0 or negative: none
 * @param maxReadyAge age from which a ready node is replaced; zero: never
 */
public record Label(String name, int minReady, Duration maxReadyAge) {}
