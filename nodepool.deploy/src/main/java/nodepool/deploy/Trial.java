package nodepool.deploy;

import java.util.List;
import java.util.Optional;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.FrameworkWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bundle that was just installed, beside the version of it that runs. Most of what can be wrong with it is found while that one
 * runs on. For what only its start shows the other makes way, and comes back if the start fails.
 */
final class Trial {

    private static final Logger log = LoggerFactory.getLogger("nodepool.Deploy");

    private final BundleContext framework;
    private final Bundle candidate;
    private final Optional<Bundle> present;

    /** @param present the version that runs and is to be replaced */
    Trial(BundleContext framework, Bundle candidate, Optional<Bundle> present) {
        this.framework = framework;
        this.candidate = candidate;
        this.present = present;
    }

    /**
     * Starts the candidate in place of the version that runs. If that is refused, the latter runs as before and the candidate does
     * not.
     */
    void run() throws RefusedException, BundleException {
        resolve();
        requireOwnNames();
        if (isFragment(candidate)) {
            return;
        }
        if (present.isPresent()) {
            present.get().stop(Bundle.STOP_TRANSIENT);
        }
        boolean works = false;
        try {
            start();
            works = true;
        } finally {
            if (!works) {
                candidate.stop();
                present.ifPresent(Trial::comeBack);
            }
        }
    }

    private static void comeBack(Bundle bundle) {
        try {
            bundle.start(Bundle.START_ACTIVATION_POLICY);
        } catch (BundleException e) {
            log.error("Bundle {} {} does not come back", bundle.getSymbolicName(), bundle.getVersion(), e);
        }
    }

    private void resolve() throws RefusedException {
        List<String> missing = new Needs(framework.getBundles()).missing(candidate);
        if (!missing.isEmpty()) {
            throw new RefusedException(String.join("; ", missing));
        }
        FrameworkWiring wiring =
                framework.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).adapt(FrameworkWiring.class);
        if (!wiring.resolveBundles(List.of(candidate))) {
            throw new RefusedException("what it needs is here, but does not fit together");
        }
    }

    /** Two drivers of one name: nobody could say which of them makes the machines of a provider. */
    private void requireOwnNames() throws RefusedException {
        for (String name : DriverNames.of(candidate)) {
            for (ServiceReference<?> driver : drivers(name)) {
                Bundle owner = driver.getBundle();
                if (owner != null
                        && owner != candidate
                        && !present.filter(owner::equals).isPresent()) {
                    throw new RefusedException("it brings the driver %s, which is there already, from %s %s"
                            .formatted(name, owner.getSymbolicName(), owner.getVersion()));
                }
            }
        }
    }

    private ServiceReference<?>[] drivers(String name) {
        try {
            ServiceReference<?>[] found = framework.getAllServiceReferences(
                    null, "(" + DriverNames.PROPERTY + "=" + name.replaceAll("([\\\\*()])", "\\\\$1") + ")");
            return found == null ? new ServiceReference<?>[0] : found;
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    private void start() throws RefusedException {
        try {
            candidate.start(Bundle.START_ACTIVATION_POLICY);
        } catch (BundleException failed) {
            throw new RefusedException("it does not start: " + reason(failed));
        }
        for (String name : DriverNames.of(candidate)) {
            for (ServiceReference<?> driver : drivers(name)) {
                if (driver.getBundle() == candidate) {
                    requireMade(name, driver);
                }
            }
        }
    }

    /** A component is made when somebody asks for it. */
    private void requireMade(String name, ServiceReference<?> driver) throws RefusedException {
        Object made = framework.getService(driver);
        if (made == null) {
            throw new RefusedException("its driver " + name + " could not be made; the log of its start says why");
        }
        framework.ungetService(driver);
    }

    private static String reason(BundleException failed) {
        Throwable cause = failed.getCause();
        return cause == null ? String.valueOf(failed.getMessage()) : cause.toString();
    }

    private static boolean isFragment(Bundle bundle) {
        return (bundle.adapt(BundleRevision.class).getTypes() & BundleRevision.TYPE_FRAGMENT) != 0;
    }
}
