/**
 * A cloud without a cloud, for trying things out, for tests, and as the worked example for driver authors. Start at {@link
 * nodepool.driver.fake.FakeDriver}.
 */
@NullMarked
package nodepool.driver.fake;

import org.jspecify.annotations.NullMarked;
