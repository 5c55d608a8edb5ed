package nodepool.builder;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import nodepool.api.config.Schema;
import nodepool.api.config.Section;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Driver;
import nodepool.api.driver.Instance;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.Step;
import nodepool.api.driver.WantedImages;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;

/** A driver whose one cloud holds images and refuses what a test wants refused. Thread-safe. */
final class TestCloud implements Driver {

    static final String WORD = "test";

    /** An entry of the configuration. */
    record Entry(String name, WantedImages wanted) implements ProviderConfig {
        @Override
        public String driver() {
            return WORD;
        }

        @Override
        public int maxConcurrency() {
            return -1;
        }

        @Override
        public List<PoolConfig> pools() {
            return List.of();
        }

        @Override
        public Optional<WantedImages> wantedImages() {
            return Optional.of(wanted);
        }
    }

    private final Map<String, ManagedImages.Existing> images = new LinkedHashMap<>();
    private final List<ManagedImages.NewImage> uploads = new ArrayList<>();
    private final List<String> stopped = new ArrayList<>();
    private String refusedProvider = "";
    private int refusals;
    private boolean deletesFail;
    private boolean hangs;
    private int deletes;
    private int made;

    /** That provider's next uploads fail, that many of them. */
    synchronized void refuse(String provider, int times) {
        refusedProvider = provider;
        refusals = times;
    }

    /** Uploads hang until they are interrupted. */
    synchronized void hang(boolean hang) {
        hangs = hang;
    }

    /** Waits until an upload hangs. */
    synchronized void awaitHanging() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (uploads.isEmpty()) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, end - System.nanoTime()));
            if (System.nanoTime() > end) {
                throw new AssertionError("no upload has begun");
            }
        }
    }

    private synchronized void hang() throws CloudException {
        try {
            while (hangs) {
                wait();
            }
        } catch (InterruptedException stop) {
            throw new CloudException(Fault.TRANSIENT, "interrupted", stop);
        }
    }

    synchronized void failDeletes(boolean fail) {
        deletesFail = fail;
    }

    /** Waits until images were asked to be deleted that often; false if they were not within that time. */
    synchronized boolean awaitDeletes(int times, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        for (long left = limit.toNanos(); deletes < times && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return deletes >= times;
    }

    synchronized List<ManagedImages.Existing> images() {
        return List.copyOf(images.values());
    }

    /** Every upload that was tried, refused ones too. */
    synchronized List<ManagedImages.NewImage> uploads() {
        return List.copyOf(uploads);
    }

    /** Waits until a provider of that name was stopped; false if it was not within a minute. */
    synchronized boolean awaitStopped(String provider) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        for (long left = 1; !stopped.contains(provider) && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, end - System.nanoTime()));
        }
        return stopped.contains(provider);
    }

    /** As an upload whose process died before its record was final. */
    synchronized void leave(Map<String, String> metadata) {
        String id = "left-" + ++made;
        images.put(id, new ManagedImages.Existing(id, id, metadata));
    }

    private synchronized String take(String provider, ManagedImages.NewImage image, Path file) throws CloudException {
        uploads.add(image);
        notifyAll();
        hang();
        if (provider.equals(refusedProvider) && refusals > 0) {
            refusals--;
            throw new CloudException(Fault.TRANSIENT, "refused");
        }
        if (!Files.isReadable(file)) {
            throw new CloudException(Fault.BAD_REQUEST, "no file " + file);
        }
        String id = "ext-" + ++made;
        images.put(id, new ManagedImages.Existing(id, image.name(), image.metadata()));
        return id;
    }

    private synchronized void remove(String id) throws CloudException {
        deletes++;
        notifyAll();
        if (deletesFail) {
            throw new CloudException(Fault.TRANSIENT, "deleting fails");
        }
        if (images.remove(id) == null) {
            throw new CloudException(Fault.NOT_FOUND, "no image " + id);
        }
    }

    private synchronized void stop(String provider) {
        stopped.add(provider);
        notifyAll();
    }

    @Override
    public String name() {
        return WORD;
    }

    @Override
    public Schema getSchema() {
        return Schema.of();
    }

    @Override
    public ProviderConfig getProviderConfig(Section provider, LoadContext load) {
        throw new UnsupportedOperationException("tests make their configuration themselves");
    }

    @Override
    public Provider getProvider(ProviderConfig config, ProviderContext context) {
        return new ImagesOnly(config.name());
    }

    private final class ImagesOnly implements Provider, ManagedImages {
        private final String provider;

        ImagesOnly(String provider) {
            this.provider = provider;
        }

        @Override
        public void start() {}

        @Override
        public void stop() {
            TestCloud.this.stop(provider);
        }

        @Override
        public Optional<ManagedImages> images() {
            return Optional.of(this);
        }

        @Override
        public String uploadImage(NewImage image, Path file) throws CloudException {
            return take(provider, image, file);
        }

        @Override
        public void deleteImage(String externalId) throws CloudException {
            remove(externalId);
        }

        @Override
        public List<Existing> listImages() {
            return TestCloud.this.images();
        }

        @Override
        public NodeRequestHandler getRequestHandler(PoolConfig pool, NodeRequest request) {
            throw new UnsupportedOperationException("a builder asks for no nodes");
        }

        @Override
        public Step cleanupNode(Node node, Map<String, String> memo) {
            throw new UnsupportedOperationException("a builder removes no nodes");
        }

        @Override
        public List<Instance> listNodes() {
            throw new UnsupportedOperationException("a builder lists no nodes");
        }
    }
}
