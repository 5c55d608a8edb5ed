package nodepool.launcher;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.LabelConfig;
import nodepool.api.event.Event;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log, the journal and whoever listens how the launch of one node goes.
 *
 * @param means of the pool
 * @param journal of the pool
 * @param request for which it is launched
 * @param label name of what is launched
 * @param began when the launch began
 */
record LaunchReport(PoolMeans means, Journal journal, NodeRequest request, String label, Instant began) {

    /** Characters of a console's output that are kept. */
    private static final int CONSOLE_KEPT = 4000;

    private static final Logger log = LoggerFactory.getLogger("nodepool.NodeLauncher");

    /** The machine is there and its host keys are gathered. */
    void scanning(Node node) {
        journal.note(request, Account.What.NODE_SCANNING, node);
        means.events().on(new Event.MachineUp(node.id(), means.slot().name(), means.poolName(), label, took()));
    }

    /** The machine can be used. */
    void ready(Node node, int attempts) {
        logged(node, () -> log.info("Node {} is ready", node.id()));
        journal.note(request, Account.What.NODE_READY, node);
        means.events()
                .on(new Event.NodeReady(node.id(), means.slot().name(), means.poolName(), label, attempts, took()));
        ended(node, "ready");
    }

    /** The cloud refused it for lack of quota. */
    void aborted(Node node, int attempt, Reason why) {
        logged(node, () -> log.info("Aborting node {} due to quota: {}", node.id(), why.detail()));
        failure(node, attempt, false, why, Optional.empty());
        ended(node, CloudException.Fault.QUOTA.resultName());
    }

    /**
     * An attempt failed.
     *
     * @param allowed how many attempts there may be
     * @param last whether there will be no other
     * @param console tail of the machine's console, if it was asked for and there is one
     */
    void failed(
            Node node,
            int attempt,
            int allowed,
            boolean last,
            CloudException fault,
            Reason why,
            Optional<String> console) {
        logged(node, () -> {
            log.warn("Launch attempt {}/{} for node {} failed: {}", attempt, allowed, node.id(), fault.getMessage());
            console.ifPresent(
                    text -> text.lines().forEach(line -> log.info("Console of node {}: {}", node.id(), line)));
            if (fault.getCause() instanceof RuntimeException bug) {
                log.error("Driver failed unexpectedly for node {}", node.id(), bug);
            }
        });
        failure(node, attempt, last, why, console);
        ended(node, fault.fault().resultName());
    }

    private void logged(Node node, Runnable lines) {
        LogIds.of(request, means).and(node).log(lines);
    }

    /** The end of a console's output, where a machine says why it does not come up. */
    static String tail(String console) {
        return console.length() <= CONSOLE_KEPT ? console : console.substring(console.length() - CONSOLE_KEPT);
    }

    private void failure(Node node, int attempt, boolean last, Reason why, Optional<String> console) {
        journal.failed(request, node, why, console);
        means.events()
                .on(new Event.LaunchFailed(
                        node.id(), means.slot().name(), means.poolName(), label, attempt, last, why, took(), console));
    }

    private void ended(Node node, String result) {
        Optional<LabelConfig> config =
                means.slot().config().pool(means.poolName()).flatMap(pool -> pool.label(label));
        means.events()
                .on(new Event.LaunchEnded(
                        node.id(),
                        means.slot().name(),
                        means.poolName(),
                        label,
                        node.place().az(),
                        config.flatMap(known -> known.diskImage().or(known::cloudImage)),
                        request.asker().requestor(),
                        result,
                        took()));
    }

    private Duration took() {
        return Duration.between(began, means.clock().instant());
    }
}
