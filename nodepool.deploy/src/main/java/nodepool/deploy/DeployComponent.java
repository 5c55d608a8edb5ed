package nodepool.deploy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.apache.felix.fileinstall.ArtifactInstaller;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins to watch the folder, once there is somebody who judges what lies there; unless hot deployment is switched off. The
 * framework properties are {@code nodepool.deploy} ({@code off}), {@code nodepool.deploy.trust} (file with the {@link
 * TrustList}) and {@code nodepool.deploy.any-folder} ({@code true}); the folder is File Install's {@code
 * felix.fileinstall.dir}.
 */
@Component(
        service = {},
        immediate = true)
public final class DeployComponent {

    private static final String WATCHER = "org.apache.felix.fileinstall";
    private static final Logger log = LoggerFactory.getLogger("nodepool.Deploy");

    private final Optional<ServiceRegistration<ArtifactInstaller>> judge;

    @Activate
    public DeployComponent(BundleContext bundle) throws BundleException {
        if ("off".equals(bundle.getProperty("nodepool.deploy"))) {
            log.info("Hot deployment is off");
            this.judge = Optional.empty();
            return;
        }
        Trust trust = new Trust(
                Optional.ofNullable(bundle.getProperty("nodepool.deploy.trust")).map(Path::of),
                Boolean.parseBoolean(bundle.getProperty("nodepool.deploy.any-folder")),
                new OwnerOnly(System.getProperty("user.name")));
        BundleContext framework =
                bundle.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getBundleContext();
        this.judge = Optional.of(bundle.registerService(
                ArtifactInstaller.class,
                new BundleDeployer(framework, trust),
                FrameworkUtil.asDictionary(Map.of(Constants.SERVICE_RANKING, Integer.MAX_VALUE))));
        watcher(bundle).start();
    }

    /** First the watcher goes, so that it asks nobody else. */
    @Deactivate
    void stop(BundleContext bundle) throws BundleException {
        if (judge.isPresent()) {
            watcher(bundle).stop();
            judge.get().unregister();
        }
    }

    private static Bundle watcher(BundleContext bundle) throws BundleException {
        return Arrays.stream(bundle.getBundles())
                .filter(one -> WATCHER.equals(one.getSymbolicName()))
                .findFirst()
                .orElseThrow(() -> new BundleException(WATCHER + " is not installed"));
    }
}
