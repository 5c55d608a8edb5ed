package nodepool.zk.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a server while the framework property {@code nodepool.zk.embedded.port} asks for one. Its data end with it. If the
 * port is taken the program ends: whatever serves there is not meant for trying out.
 */
@Component(
        service = {},
        immediate = true)
public final class EmbeddedComponent {

    private static final Logger log = LoggerFactory.getLogger("nodepool.zk.embedded");

    private final Optional<EmbeddedZooKeeper> server;

    /** @param fail ends the program, if it offers that */
    @Activate
    public EmbeddedComponent(
            BundleContext context,
            @Reference(target = "(nodepool.action=fail)", cardinality = ReferenceCardinality.OPTIONAL) @Nullable
                    Runnable fail)
            throws InterruptedException {
        String port = context.getProperty("nodepool.zk.embedded.port");
        this.server = port == null ? Optional.empty() : serve(port);
        if (port != null && server.isEmpty() && fail != null) {
            fail.run();
        }
    }

    private static Optional<EmbeddedZooKeeper> serve(String port) throws InterruptedException {
        Thread caller = Thread.currentThread();
        ClassLoader before = caller.getContextClassLoader();
        caller.setContextClassLoader(EmbeddedComponent.class.getClassLoader());
        try {
            EmbeddedZooKeeper started =
                    EmbeddedZooKeeper.start(Files.createTempDirectory("nodepool-zookeeper"), Integer.parseInt(port));
            log.info("Embedded ZooKeeper at {}, for trying out only", started.connectString());
            return Optional.of(started);
        } catch (IOException e) {
            log.error("No ZooKeeper can be started on port {}: {}; choose another port", port, e.getMessage());
            return Optional.empty();
        } finally {
            caller.setContextClassLoader(before);
        }
    }

    @Deactivate
    void stop() {
        server.ifPresent(EmbeddedZooKeeper::close);
    }
}
