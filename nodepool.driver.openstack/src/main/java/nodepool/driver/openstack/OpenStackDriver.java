package nodepool.driver.openstack;

import java.net.Inet6Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import nodepool.api.config.Schema;
import nodepool.api.config.Section;
import nodepool.api.driver.Driver;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.api.event.Event;
import nodepool.driver.openstack.cloud.Caller;
import nodepool.driver.openstack.clouds.CloudFiles;
import nodepool.driver.openstack.clouds.CloudSettings;
import nodepool.driver.openstack.http.CallFailure;
import nodepool.driver.openstack.http.OpenStackClient;
import nodepool.driver.statemachine.Adapter;
import nodepool.driver.statemachine.StateMachineProvider;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** OpenStack as a driver. */
@Component(service = Driver.class, property = Driver.NAME + "=" + OpenStackDriver.WORD)
public final class OpenStackDriver implements Driver {

    static final String WORD = "openstack";

    private final CloudFiles files;

    /** With the files of this process. */
    @Activate
    public OpenStackDriver() {
        this(CloudFiles.ofThisProcess());
    }

    OpenStackDriver(CloudFiles files) {
        this.files = files;
    }

    @Override
    public String name() {
        return WORD;
    }

    @Override
    public Schema getSchema() {
        return OpenStackSchema.PROVIDER;
    }

    @Override
    public ProviderConfig getProviderConfig(Section provider, LoadContext load) {
        return new OpenStackConfigReader(load, files).read(provider);
    }

    /** A cloud that could not be used when the configuration was read is looked for again. */
    @Override
    public Provider getProvider(ProviderConfig config, ProviderContext context) {
        OpenStackConfig openStack = (OpenStackConfig) config;
        ChosenCloud chosen = openStack.chosen().settings().isPresent()
                ? openStack.chosen()
                : ChosenCloud.read(files, openStack.cloud(), openStack.region(), warning -> {});
        Adapter adapter = chosen.settings()
                .map(settings -> adapter(openStack, settings, context))
                .orElseGet(() -> new UnusableCloud(chosen.problem()));
        return new StateMachineProvider(
                openStack.name(),
                adapter,
                context,
                OpenStackDriver::zones,
                bound -> ThreadLocalRandom.current().nextInt(bound));
    }

    private Adapter adapter(OpenStackConfig config, CloudSettings settings, ProviderContext context) {
        try {
            OpenStackClient client = new OpenStackClient(
                    config.name(),
                    settings,
                    files.environment(),
                    context.clock(),
                    (service, method, operation, status, took) -> context.events()
                            .on(new Event.ApiCalled(config.name(), service.word(), method, operation, status, took)));
            return new OpenStackAdapter(
                    config,
                    settings,
                    new Caller(config.name(), client, config.callInterval()),
                    new OpenStackAdapter.Surroundings(
                            context.executor(),
                            context.clock(),
                            System::nanoTime,
                            reachesVersion6(),
                            context.events()));
        } catch (CallFailure unusable) {
            return new UnusableCloud(String.valueOf(unusable.getMessage()));
        }
    }

    private static List<String> zones(PoolConfig pool) {
        return ((OpenStackPool) pool).zones();
    }

    /** Whether this machine has an address of version 6 that others could answer to. */
    private static boolean reachesVersion6() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .anyMatch(address -> address instanceof Inet6Address
                            && !address.isLoopbackAddress()
                            && !address.isLinkLocalAddress());
        } catch (SocketException unknown) {
            return false;
        }
    }
}
