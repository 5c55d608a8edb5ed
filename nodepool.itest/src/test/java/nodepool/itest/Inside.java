package nodepool.itest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.testkit.Running;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.osgi.framework.AllServiceListener;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;

/** The framework as a test inside of it sees it. Waits are woken by services and by the store, never by the clock. */
final class Inside implements AutoCloseable {

    /** Framework property: where the bundles of the installation lie. */
    static final String BUNDLES = "nodepool.itest.bundles";

    private final BundleContext context;
    private final Semaphore bell = new Semaphore(0);
    private final AllServiceListener ring = event -> bell.release();

    private Inside(BundleContext context) {
        this.context = context;
        context.addServiceListener(ring);
    }

    static Inside enter() {
        return new Inside(FrameworkUtil.getBundle(Inside.class).getBundleContext());
    }

    BundleContext context() {
        return context;
    }

    String property(String name) {
        return Optional.ofNullable(context.getProperty(name)).orElseThrow();
    }

    /** Puts a configuration into force, as an operator does. */
    void configure(String yaml) throws IOException {
        Path file = Path.of(property("nodepool.config"));
        Path draft = Files.writeString(file.resolveSibling("draft"), yaml);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Installs and starts a bundle of the installation that is not in the assembly. */
    Bundle install(String symbolicName) throws IOException, BundleException {
        Bundle bundle = context.installBundle(file(symbolicName).toUri().toString());
        bundle.start();
        return bundle;
    }

    Path file(String symbolicName) throws IOException {
        return Assembly.bundle(Path.of(property(BUNDLES)), symbolicName);
    }

    Bundle bundle(String symbolicName) {
        for (Bundle bundle : context.getBundles()) {
            if (symbolicName.equals(bundle.getSymbolicName())) {
                return bundle;
            }
        }
        throw new AssertionError("not installed: " + symbolicName);
    }

    <S> boolean has(Class<S> type) {
        return context.getServiceReference(type) != null;
    }

    /** A service, there already or to come. */
    <S> S service(Class<S> type) throws InterruptedException {
        until(type.getSimpleName() + " is there", () -> has(type));
        ServiceReference<S> reference = context.getServiceReference(type);
        return Optional.ofNullable(context.getService(reference)).orElseThrow();
    }

    /** Waits until something is true that comes with a service's or the store's change. */
    void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Running.DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (!bell.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new AssertionError("never: " + what);
            }
        }
    }

    /** Waits until something is true that comes with a change of the store. */
    void until(Stores stores, String what, BooleanSupplier condition) throws InterruptedException {
        Subscription woken = stores.snapshots().onChange(bell::release);
        try {
            until(what, condition);
        } finally {
            woken.close();
        }
    }

    /** Wakes who waits. */
    void ring() {
        bell.release();
    }

    /** What a command prints in the shell. */
    String shell(String line) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CommandProcessor shell = service(CommandProcessor.class);
        try (CommandSession session = shell.createSession(java.io.InputStream.nullInputStream(), out, out)) {
            session.execute(line);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Asks for nodes as soon as ZooKeeper answers, and does not wait for them. Snapshots show the request. */
    String request(Stores stores, String... labels) throws Exception {
        snapshot(stores);
        NodeRequest draft = NodeRequest.draft(
                NodeRequest.Wanted.of(List.of(labels)), NodeRequest.Asker.named("itest"), Instant.now());
        String id = await(stores.requests().create(draft, "200", false)).id();
        await(stores.snapshots().caughtUp());
        return id;
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(Running.DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Waits until a request has its nodes. */
    List<String> fulfilled(Stores stores, String request) throws InterruptedException {
        until(
                stores,
                "request " + request + " fulfilled",
                () -> nodes(stores, request).isPresent());
        return nodes(stores, request).orElseThrow();
    }

    private static Optional<List<String>> nodes(Stores stores, String request) {
        return stores.snapshots()
                .current()
                .flatMap(now -> now.request(request))
                .filter(found -> found.state().wireName().equals("fulfilled"))
                .map(NodeRequest::nodes);
    }

    static Snapshot snapshot(Stores stores) throws Exception {
        return await(stores.snapshots().next());
    }

    @Override
    public void close() {
        context.removeServiceListener(ring);
    }
}
