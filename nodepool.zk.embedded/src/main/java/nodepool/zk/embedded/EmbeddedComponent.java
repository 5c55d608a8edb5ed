package nodepool.zk.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a server while the framework property {@code nodepool.zk.embedded.port} asks for one. Its data end with it. */
@Component(
        service = {},
        immediate = true)
public final class EmbeddedComponent {

    private static final Logger log = LoggerFactory.getLogger("nodepool.zk.embedded");

    private final Thread thread;

    @Activate
    public EmbeddedComponent(BundleContext context) {
        String port = context.getProperty("nodepool.zk.embedded.port");
        this.thread = new Thread(() -> serve(port), "embedded-zookeeper");
        thread.setDaemon(true);
        thread.setContextClassLoader(EmbeddedComponent.class.getClassLoader());
        if (port != null) {
            thread.start();
        }
    }

    private static void serve(String port) {
        try {
            Path directory = Files.createTempDirectory("nodepool-zookeeper");
            try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(directory, Integer.parseInt(port))) {
                log.info("Embedded ZooKeeper at {}, for trying out only", server.connectString());
                Thread.currentThread().join();
            }
        } catch (IOException e) {
            log.error("The embedded ZooKeeper did not start on port {}: {}", port, e.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Deactivate
    void stop() {
        thread.interrupt();
    }
}
