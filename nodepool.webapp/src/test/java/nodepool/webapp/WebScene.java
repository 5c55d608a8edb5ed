package nodepool.webapp;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.config.Problem;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.monitor.HealthCheck;
import nodepool.api.registry.ProviderStatus;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.cli.verb.RecordLists;
import nodepool.testkit.ManualClock;
import nodepool.webapp.http.SafetyFilter;
import nodepool.webapp.lists.SharedLists;
import nodepool.webapp.lists.SharedState;
import nodepool.webapp.rest.Facts;
import nodepool.webapp.stream.ChangeFeed;
import nodepool.zk.ZkConnector;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** All our pages on the server of the product, on records in a real ZooKeeper. */
public final class WebScene implements AutoCloseable {

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    public final ManualClock clock = new ManualClock();
    public final SharedLists lists = new SharedLists();
    public final SharedState state = new SharedState();
    public final ChangeFeed feed = new ChangeFeed(lists, clock);
    public final List<ProviderStatus.Provider> providers = new ArrayList<>();
    public final List<HealthCheck.Health> health = new ArrayList<>();
    public final SettableConfiguration configuration = new SettableConfiguration();
    private final EmbeddedZooKeeper zookeeper;
    private final Stores stores;
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server, 1, 1);
    private final HttpClient client = HttpClient.newHttpClient();

    /** The configuration that a test says is in force. */
    public static final class SettableConfiguration implements ConfigurationSource {

        private Optional<Configuration> current = Optional.empty();

        public void set(Configuration now) {
            current = Optional.of(now);
        }

        @Override
        public Optional<Configuration> current() {
            return current;
        }

        @Override
        public List<Problem> problems() {
            return current.map(Configuration::problems).orElse(List.of());
        }

        @Override
        public Subscription onChange(Runnable wake) {
            return () -> {};
        }
    }

    public WebScene(Path folder) throws Exception {
        zookeeper = EmbeddedZooKeeper.start(Files.createDirectories(folder.resolve("zk")), 0);
        stores = new ZkConnector()
                .connect(new ZooKeeperConfig(
                        List.of(zookeeper.connectString()), "", Duration.ofSeconds(10), Optional.empty()));
        state.set(stores);
        stores.snapshots().onChange(() -> feed.wake(stores));
        feed.wake(stores);
        RecordLists.all().forEach(lists::add);
        done(stores.snapshots().next());
        ServletContextHandler context = new ServletContextHandler("/");
        Filter filter = new SafetyFilter();
        FilterHolder first = new FilterHolder(filter);
        first.setAsyncSupported(true);
        context.addFilter(first, "/*", EnumSet.of(DispatcherType.REQUEST));
        Facts facts = new Facts(
                lists,
                state,
                configuration,
                () -> providers,
                () -> List.of("fake"),
                () -> health,
                () -> Optional.of(() -> "up 1\n"));
        for (Map.Entry<String, Servlet> page :
                new Site(facts, feed, clock).servlets().entrySet()) {
            ServletHolder holder = new ServletHolder(page.getValue());
            holder.setAsyncSupported(true);
            context.addServlet(holder, page.getKey());
        }
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(context);
        server.start();
    }

    public Stores stores() {
        return stores;
    }

    public int port() {
        return connector.getLocalPort();
    }

    /** What ZooKeeper answers. */
    public static <T> T done(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Waits until the pages see that. */
    public void await(Predicate<Snapshot> wanted) throws Exception {
        Snapshot seen = done(stores.snapshots().caughtUp());
        if (!wanted.test(seen)) {
            throw new AssertionError("not in the snapshot");
        }
    }

    /** The answer to GET, with these headers. */
    public HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send("GET", path, headers);
    }

    public HttpResponse<String> send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        try {
            feed.close();
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        stores.close();
        zookeeper.close();
    }
}
