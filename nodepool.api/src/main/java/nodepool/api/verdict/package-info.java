/**
 * Why something was, or was not, done: values a person can read and a program can count.
 * Start reading at {@link nodepool.api.verdict.Verdict}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.verdict;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
