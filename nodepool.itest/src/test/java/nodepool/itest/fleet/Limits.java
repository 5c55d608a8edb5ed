package nodepool.itest.fleet;

import java.util.Map;

/**
 * What was configured.
 *
 * @param minReady by label
 * @param maxServers by provider; each has one pool
 * @param tenants machines at the same time, by tenant
 */
record Limits(Map<String, Integer> minReady, Map<String, Integer> maxServers, Map<String, Integer> tenants) {}
