package nodepool.builder;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.UUID;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.store.Stores;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Wires, starts and stops the builder. */
@Component(
        service = {},
        immediate = true)
public final class BuilderComponent {

    private final Builder builder;

    @Activate
    public BuilderComponent(
            BundleContext bundle,
            @Reference ConfigurationSource configuration,
            @Reference Stores stores,
            @Reference DriverRegistry drivers,
            @Reference EventBroadcast events) {
        this.builder = new Builder(
                BuilderOptions.from(bundle::getProperty),
                hostname(),
                Clock.systemUTC(),
                UUID::randomUUID,
                System.getenv(),
                configuration,
                stores,
                drivers,
                events);
        builder.start();
    }

    @Deactivate
    void stop() {
        builder.stop();
    }

    /** Fully qualified, unless the system knows only an address. */
    private static String hostname() {
        try {
            InetAddress local = InetAddress.getLocalHost();
            String canonical = local.getCanonicalHostName();
            return canonical.equals(local.getHostAddress()) ? local.getHostName() : canonical;
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
