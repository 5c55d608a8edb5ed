package nodepool.deploy;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.felix.fileinstall.ArtifactInstaller;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.FrameworkWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs, replaces and removes the bundles of the watched folder as File Install sees them come, change and go; each is
 * {@linkplain Trust judged} first. A refused one stays out, and the version that was there before stays. Called by the one
 * thread that watches the folder.
 */
final class BundleDeployer implements ArtifactInstaller {

    private static final long REFRESH_SECONDS = 30;
    private static final Logger log = LoggerFactory.getLogger("nodepool.Deploy");

    private final BundleContext framework;
    private final Trust trust;
    private final Set<Bundle> deployed = new LinkedHashSet<>();

    /** @param framework context of the system bundle: what is installed outlives this bundle */
    BundleDeployer(BundleContext framework, Trust trust) {
        this.framework = framework;
        this.trust = trust;
    }

    /** Everything: what is not judged here would be installed by somebody else. */
    @Override
    public boolean canHandle(File artifact) {
        return true;
    }

    @Override
    public void install(File file) throws IOException, InterruptedException {
        put(file.toPath());
    }

    @Override
    public void update(File file) throws IOException, InterruptedException {
        put(file.toPath());
    }

    @Override
    public void uninstall(File file) throws BundleException, InterruptedException {
        Bundle bundle = framework.getBundle(location(file.toPath()));
        if (bundle != null) {
            deployed.remove(bundle);
            bundle.uninstall();
            refresh(bundle);
            log.info("Bundle {} is removed", name(bundle));
        }
    }

    private void put(Path file) throws IOException, InterruptedException {
        Bundle present = framework.getBundle(location(file));
        try {
            Path copy = trust.admit(file);
            try {
                put(file, copy);
            } finally {
                Files.delete(copy);
            }
        } catch (RefusedException no) {
            log.warn("Bundle {} is refused: {}{}", file, no.getMessage(), whatStays(present));
        } catch (BundleException wrong) {
            log.warn("Bundle {} is not usable: {}", file, wrong.getMessage());
        }
    }

    private static String whatStays(Bundle present) {
        return present == null ? "" : "; version " + present.getVersion() + " of " + name(present) + " stays";
    }

    private void put(Path file, Path copy) throws IOException, BundleException, InterruptedException {
        Bundle present = framework.getBundle(location(file));
        try (InputStream content = Files.newInputStream(copy)) {
            if (present == null) {
                Bundle bundle = framework.installBundle(location(file), content);
                deployed.add(bundle);
                log.info("Bundle {} {} is installed", name(bundle), bundle.getVersion());
            } else {
                present.stop(Bundle.STOP_TRANSIENT);
                present.update(content);
                refresh(present);
                log.info("Bundle {} is updated to {}", name(present), present.getVersion());
            }
        }
        startAll();
    }

    /** Also those that lacked something before, which may be here now. */
    private void startAll() {
        for (Bundle bundle : deployed) {
            boolean fragment = (bundle.adapt(BundleRevision.class).getTypes() & BundleRevision.TYPE_FRAGMENT) != 0;
            if (!fragment && (bundle.getState() & (Bundle.ACTIVE | Bundle.STARTING)) == 0) {
                try {
                    bundle.start(Bundle.START_ACTIVATION_POLICY);
                } catch (BundleException lacking) {
                    log.warn("Bundle {} does not start: {}", name(bundle), lacking.getMessage());
                }
            }
        }
    }

    /** So that nothing of the old version is in use any more. Waits for it. */
    private void refresh(Bundle bundle) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Collection<Bundle> changed = List.of(bundle);
        framework
                .getBundle(Constants.SYSTEM_BUNDLE_LOCATION)
                .adapt(FrameworkWiring.class)
                .refreshBundles(changed, event -> done.countDown());
        if (!done.await(REFRESH_SECONDS, TimeUnit.SECONDS)) {
            log.warn("Something of the old version of bundle {} is still in use", name(bundle));
        }
    }

    private static String location(Path file) {
        return file.toUri().normalize().toString();
    }

    private static String name(Bundle bundle) {
        String name = bundle.getSymbolicName();
        return name == null ? bundle.getLocation() : name;
    }
}
