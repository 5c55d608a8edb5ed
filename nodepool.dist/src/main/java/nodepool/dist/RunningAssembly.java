package nodepool.dist;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.wiring.BundleRevision;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One framework with the bundles of one assembly. Starts once, stops once. */
final class RunningAssembly {

    /** How long bundles may take to stop before the process ends without them. */
    static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger("nodepool.Start");

    private final Framework framework;
    private volatile boolean stopping;
    private volatile boolean failed;

    private RunningAssembly(Framework framework) {
        this.framework = framework;
    }

    /** Installs the bundles; nothing of them runs yet. */
    static RunningAssembly prepare(Path home, AssemblyFile assembly, Path cache) throws IOException, BundleException {
        BundlePool pool = BundlePool.read(home.resolve("bundles"));
        Framework framework = ServiceLoader.load(FrameworkFactory.class)
                .findFirst()
                .orElseThrow(() -> new IOException("no OSGi framework on the class path"))
                .newFramework(configuration(home, assembly, cache));
        framework.init(RunningAssembly::report);
        BundleContext context = framework.getBundleContext();
        context.addFrameworkListener(RunningAssembly::report);
        for (AssemblyFile.Entry entry : assembly.bundles()) {
            // By reference: the framework reads our file and keeps no copy.
            Bundle bundle =
                    context.installBundle("reference:" + pool.find(entry).toUri());
            bundle.adapt(BundleStartLevel.class).setStartLevel(entry.startLevel());
            if (entry.starts() && !isFragment(bundle)) {
                bundle.start(Bundle.START_ACTIVATION_POLICY);
            }
        }
        return new RunningAssembly(framework);
    }

    /** Runs all start levels and says which bundles did not come up, each with its reason. */
    List<String> start() throws BundleException {
        BundleContext context = framework.getBundleContext();
        List<Bundle> installed = List.of(context.getBundles());
        offer("fail", Runnable.class, this::fail);
        framework.start();
        if (failed) {
            framework.stop();
        }
        List<String> failures = new ArrayList<>();
        for (Bundle bundle : installed) {
            if (stopping()) {
                return List.of();
            }
            boolean shouldRun = bundle.adapt(BundleStartLevel.class).isPersistentlyStarted();
            if (!shouldRun || (bundle.getState() & (Bundle.ACTIVE | Bundle.STARTING)) != 0) {
                continue;
            }
            try {
                bundle.start();
            } catch (BundleException e) {
                failures.add(bundle.getSymbolicName() + ": " + e.getMessage());
            }
        }
        return failures;
    }

    /** Offers to bundles what only this program can do: a service with the property {@code nodepool.action=<action>}. */
    <T> void offer(String action, Class<T> type, T service) {
        framework
                .getBundleContext()
                .registerService(type, service, FrameworkUtil.asDictionary(Map.of("nodepool.action", action)));
    }

    int bundleCount() {
        BundleContext context = framework.getBundleContext();
        return context == null ? 0 : context.getBundles().length - 1;
    }

    boolean stopping() {
        return stopping || failed;
    }

    /** Waits until somebody has stopped the framework, and gives the exit code. */
    int join() throws InterruptedException {
        framework.waitForStop(0);
        return failed ? Main.FAILED : 0;
    }

    /**
     * For a bundle that finds that nothing may be done here: a service with the property {@code nodepool.action=fail}. A
     * framework that is still starting is stopped when it is up.
     */
    private void fail() {
        failed = true;
        try {
            if (framework.getState() == Bundle.ACTIVE) {
                framework.stop();
            }
        } catch (BundleException e) {
            LOG.warn("The framework does not stop", e);
        }
    }

    /** Stops the bundles from the highest start level down. False if they took too long. */
    boolean stop() {
        stopping = true;
        try {
            framework.stop();
            return framework.waitForStop(STOP_LIMIT.toMillis()).getType() != FrameworkEvent.WAIT_TIMEDOUT;
        } catch (BundleException e) {
            LOG.warn("The framework does not stop", e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Runs every {@link Runnable} service with the property {@code nodepool.signal=<signal>}: the way for a bundle to
     * hear of a signal without depending on this program.
     */
    void runServices(String signal) {
        BundleContext context = framework.getBundleContext();
        if (context == null) {
            return;
        }
        try {
            for (ServiceReference<Runnable> reference :
                    context.getServiceReferences(Runnable.class, "(nodepool.signal=" + signal + ")")) {
                Runnable service = context.getService(reference);
                if (service != null) {
                    service.run();
                    context.ungetService(reference);
                }
            }
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(signal, e);
        }
    }

    private static Map<String, String> configuration(Path home, AssemblyFile assembly, Path cache) {
        Map<String, String> configuration = new HashMap<>();
        configuration.put(
                "felix.fileinstall.dir",
                System.getProperty("nodepool.deploy.dir", home.resolve("deploy").toString()));
        configuration.putAll(assembly.properties());
        for (String name : System.getProperties().stringPropertyNames()) {
            configuration.put(name, System.getProperty(name));
        }
        configuration.put(Constants.FRAMEWORK_STORAGE, cache.toString());
        configuration.put(Constants.FRAMEWORK_STORAGE_CLEAN, Constants.FRAMEWORK_STORAGE_CLEAN_ONFIRSTINIT);
        configuration.put(Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, assembly.systemPackages());
        configuration.put(Constants.FRAMEWORK_BEGINNING_STARTLEVEL, Integer.toString(assembly.highestStartLevel()));
        return configuration;
    }

    private static void report(FrameworkEvent event) {
        if (event.getType() == FrameworkEvent.ERROR) {
            LOG.error("Bundle {}", event.getBundle().getSymbolicName(), event.getThrowable());
        }
    }

    private static boolean isFragment(Bundle bundle) {
        return (bundle.adapt(BundleRevision.class).getTypes() & BundleRevision.TYPE_FRAGMENT) != 0;
    }
}
