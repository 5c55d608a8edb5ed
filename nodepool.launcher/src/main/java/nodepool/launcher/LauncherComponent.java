package nodepool.launcher;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.registry.ProviderStatus;
import nodepool.api.store.Stores;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Wires, starts and stops the launcher; decides nothing. */
@Component(service = ProviderStatus.class, immediate = true)
public final class LauncherComponent implements ProviderStatus {

    private final Launcher launcher;

    @Activate
    public LauncherComponent(
            @Reference ConfigurationSource configuration,
            @Reference Stores stores,
            @Reference DriverRegistry drivers,
            @Reference HostKeyScanner scanner,
            @Reference EventBroadcast events) {
        this.launcher = new Launcher(
                Clock.systemUTC(), UUID::randomUUID, hostname(), configuration, stores, drivers, scanner, events);
        launcher.start();
    }

    @Override
    public List<Provider> providers() {
        return launcher.status();
    }

    @Deactivate
    void stop() {
        launcher.stop();
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
