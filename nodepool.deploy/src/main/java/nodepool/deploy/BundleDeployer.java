package nodepool.deploy;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.felix.fileinstall.ArtifactInstaller;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.FrameworkWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs, replaces and removes the bundles of the watched folder as File Install sees them come, change and go; each is
 * {@linkplain Trust judged} first and then {@linkplain Trial tried}. A refused one stays out, and the version that was there
 * before stays. Called by the one thread that watches the folder.
 */
final class BundleDeployer implements ArtifactInstaller {

    private static final long REFRESH_SECONDS = 30;
    private static final Logger log = LoggerFactory.getLogger("nodepool.Deploy");

    private final BundleContext framework;
    private final Trust trust;
    private final Map<Path, Bundle> deployed = new HashMap<>();
    /** Why each of the files is refused that lie there and are. */
    private final Map<Path, String> refused = new LinkedHashMap<>();

    private int installed;

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
        changed(file.toPath());
    }

    @Override
    public void update(File file) throws IOException, InterruptedException {
        changed(file.toPath());
    }

    @Override
    public void uninstall(File file) throws IOException, BundleException, InterruptedException {
        refused.remove(file.toPath());
        Bundle bundle = deployed.remove(file.toPath());
        if (bundle != null) {
            remove(bundle);
            log.info("Bundle {} is removed", name(bundle));
            tryRefusedAgain();
        }
    }

    private void changed(Path file) throws IOException, InterruptedException {
        refused.remove(file);
        if (put(file)) {
            tryRefusedAgain();
        }
    }

    /** What was in their way, or what they lacked, may have changed. */
    private void tryRefusedAgain() throws IOException, InterruptedException {
        for (Path file : List.copyOf(refused.keySet())) {
            if (put(file)) {
                tryRefusedAgain();
                return;
            }
        }
    }

    /** Whether the file's bundle runs now. Says why not, once while the reason is the same. */
    private boolean put(Path file) throws IOException, InterruptedException {
        Optional<Bundle> present = Optional.ofNullable(deployed.get(file));
        String why;
        try {
            Path copy = trust.admit(file);
            try {
                put(file, copy, present);
                refused.remove(file);
                return true;
            } finally {
                Files.delete(copy);
            }
        } catch (RefusedException no) {
            why = String.valueOf(no.getMessage());
        } catch (BundleException wrong) {
            why = "it is no bundle: " + wrong.getMessage();
        }
        if (!why.equals(refused.put(file, why))) {
            log.warn(
                    "Bundle {} is refused: {}{}",
                    file,
                    why,
                    present.map(BundleDeployer::stays).orElse(""));
        }
        return false;
    }

    private static String stays(Bundle present) {
        return "; version " + present.getVersion() + " of " + name(present) + " stays";
    }

    private void put(Path file, Path copy, Optional<Bundle> present)
            throws IOException, RefusedException, BundleException, InterruptedException {
        Bundle candidate;
        try (InputStream content = Files.newInputStream(copy)) {
            // One location for each: two versions are there at a time.
            candidate = framework.installBundle(file.toUri() + "#" + ++installed, content);
        }
        boolean works = false;
        try {
            new Trial(framework, candidate, present).run();
            works = true;
        } finally {
            if (!works) {
                remove(candidate);
            }
        }
        deployed.put(file, candidate);
        if (present.isPresent()) {
            remove(present.get());
            log.info("Bundle {} is updated to {}", name(candidate), candidate.getVersion());
        } else {
            log.info("Bundle {} {} is installed", name(candidate), candidate.getVersion());
        }
    }

    /** And nothing of it is in use any more afterwards. */
    private void remove(Bundle bundle) throws BundleException, InterruptedException {
        bundle.uninstall();
        CountDownLatch done = new CountDownLatch(1);
        framework
                .getBundle(Constants.SYSTEM_BUNDLE_LOCATION)
                .adapt(FrameworkWiring.class)
                .refreshBundles(List.of(bundle), event -> done.countDown());
        if (!done.await(REFRESH_SECONDS, TimeUnit.SECONDS)) {
            log.warn("Something of bundle {} {} is still in use", name(bundle), bundle.getVersion());
        }
    }

    private static String name(Bundle bundle) {
        String name = bundle.getSymbolicName();
        return name == null ? bundle.getLocation() : name;
    }
}
