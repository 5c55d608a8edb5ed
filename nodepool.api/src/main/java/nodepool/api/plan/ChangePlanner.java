package nodepool.api.plan;

import java.time.Instant;
import java.util.List;
import nodepool.api.config.Configuration;
import nodepool.api.store.Snapshot;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Tells what a part of Nodepool would do under another configuration, with the same decisions it makes when it runs. Found as
 * an OSGi service, or with {@link java.util.ServiceLoader} outside of OSGi.
 *
 * <p>A function of its argument: no I/O, nothing is changed or kept. Thread-safe; never blocks.
 */
@ConsumerType
public interface ChangePlanner {

    /** What would change, in the order in which an operator would want to read it. */
    List<PlannedChange> plan(Situation situation);

    /**
     * What is, and what could be.
     *
     * @param running the configuration in force
     * @param wanted the one that would take its place
     * @param snapshot the shared state
     * @param now the moment of the change
     */
    record Situation(Configuration running, Configuration wanted, Snapshot snapshot, Instant now) {}
}
