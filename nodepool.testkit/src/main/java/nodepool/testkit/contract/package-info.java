/**
 * What a launcher relies on in a driver, as tests: a driver's own test class extends {@link
 * nodepool.testkit.contract.ProviderContract} and says how to open its cloud.
 */
@NullMarked
package nodepool.testkit.contract;

import org.jspecify.annotations.NullMarked;
