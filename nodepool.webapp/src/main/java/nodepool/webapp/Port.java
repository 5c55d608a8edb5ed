package nodepool.webapp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import nodepool.api.config.Configuration;
import nodepool.api.config.Configuration.WebApp;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.store.SnapshotSource.Subscription;
import org.osgi.service.cm.ConfigurationAdmin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the HTTP server listening where the configuration says. */
final class Port implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger("nodepool.WebApp");

    private final ConfigurationSource configuration;
    private final ConfigurationAdmin server;
    private final Runnable fail;
    private final Subscription subscription;
    private Optional<WebApp> open = Optional.empty();

    /** @param fail ends the program when it cannot listen */
    Port(ConfigurationSource configuration, ConfigurationAdmin server, Runnable fail) {
        this.configuration = configuration;
        this.server = server;
        this.fail = fail;
        this.subscription = configuration.onChange(this::follow);
        follow();
    }

    private synchronized void follow() {
        Optional<WebApp> wanted = configuration.current().map(Configuration::webapp);
        if (wanted.isEmpty() || wanted.equals(open)) {
            return;
        }
        WebApp webapp = wanted.get();
        Optional<String> taken = taken(webapp);
        if (taken.isPresent()) {
            log.error("Cannot listen on {} port {}: {}", webapp.listenAddress(), webapp.port(), taken.get());
            if (open.isEmpty()) {
                fail.run();
            }
            return;
        }
        try {
            server.getConfiguration(ServerSettings.PID, "?").update(ServerSettings.of(webapp));
            open = wanted;
            log.info("Web interface on {} port {}", webapp.listenAddress(), webapp.port());
        } catch (IOException e) {
            log.error("The HTTP server cannot be told where to listen", e);
        }
    }

    /** Why nobody can listen there. The server itself would only log it. */
    private static Optional<String> taken(WebApp webapp) {
        InetSocketAddress address = new InetSocketAddress(webapp.listenAddress(), webapp.port());
        if (address.isUnresolved()) {
            return Optional.of("no such address");
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public synchronized void close() {
        subscription.close();
        if (open.isPresent()) {
            try {
                server.getConfiguration(ServerSettings.PID, "?").delete();
            } catch (IOException e) {
                log.warn("The HTTP server cannot be told to stop", e);
            }
        }
    }
}
