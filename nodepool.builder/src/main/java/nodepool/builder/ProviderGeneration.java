package nodepool.builder;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Driver;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.Redaction;

/** One provider with one configuration, for its images only. It is stopped when the last upload through it has ended. */
final class ProviderGeneration {

    private static final int THREADS = 4;
    private static final HostKeyScanner NO_SCANS = target -> CompletableFuture.failedStage(
            new CloudException(CloudException.Fault.KEY_SCAN, "builders gather no host keys"));

    private final ProviderConfig config;
    private final Driver driver;
    private final Provider provider;
    private final ScheduledThreadPoolExecutor executor;
    private int users;
    private boolean retired;

    ProviderGeneration(ProviderConfig config, Redaction redaction, Driver driver, BuilderContext context) {
        this.config = config;
        this.driver = driver;
        this.executor = new ScheduledThreadPoolExecutor(THREADS, DaemonThreads.named(config.name()));
        executor.setKeepAliveTime(30, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
        this.provider = driver.getProvider(
                config,
                new ProviderContext(
                        context.stores().snapshots(),
                        context.stores().nodes(),
                        context.stores().requests(),
                        NO_SCANS,
                        context.clock(),
                        executor,
                        () -> {},
                        event -> {},
                        redaction));
    }

    boolean isOf(ProviderConfig wanted, Driver present) {
        return driver == present && config.equals(wanted);
    }

    /** Blocks. */
    void start() throws CloudException {
        provider.start();
    }

    /** The images, to be given back; absent if this generation is being replaced, or takes no images. */
    synchronized Optional<Lease> lease() {
        Optional<ManagedImages> images = retired ? Optional.empty() : provider.images();
        images.ifPresent(taken -> users++);
        return images.map(Lease::new);
    }

    /** The right to use a provider's images for a while. Closed once. */
    final class Lease implements AutoCloseable {
        private final ManagedImages images;

        private Lease(ManagedImages images) {
            this.images = images;
        }

        ManagedImages images() {
            return images;
        }

        @Override
        public void close() {
            giveBack();
        }
    }

    private synchronized void giveBack() {
        users--;
        stopIfUnused();
    }

    /** Nobody begins anything with it any more. Returns at once. */
    synchronized void retire() {
        if (!retired) {
            retired = true;
            provider.idle();
            stopIfUnused();
        }
    }

    private void stopIfUnused() {
        if (retired && users == 0) {
            executor.execute(provider::stop);
            executor.shutdown();
        }
    }
}
