package nodepool.builder;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.store.Stores;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Wires, starts and stops the builder. */
@Component(
        service = {},
        immediate = true)
public final class BuilderComponent {

    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "builder");
        made.setDaemon(true);
        return made;
    });
    private final Builder builder;

    @Activate
    public BuilderComponent(@Reference ConfigurationSource configuration, @Reference Stores stores) {
        this.builder = new Builder(hostname(), UUID::randomUUID, configuration, stores.components(), executor);
        builder.start();
    }

    @Deactivate
    void stop() {
        builder.stop();
        executor.shutdown();
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
