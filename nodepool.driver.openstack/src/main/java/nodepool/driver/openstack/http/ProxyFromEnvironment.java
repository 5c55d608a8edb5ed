package nodepool.driver.openstack.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses proxies as most programs do: {@code HTTP_PROXY}, {@code HTTPS_PROXY} and {@code NO_PROXY}, small letters first. Names
 * of the machine itself never go through a proxy.
 */
final class ProxyFromEnvironment extends ProxySelector {

    private final Map<String, String> environment;

    ProxyFromEnvironment(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public List<Proxy> select(URI uri) {
        String host = Optional.ofNullable(uri.getHost()).orElse("").toLowerCase(Locale.ROOT);
        Optional<String> proxy = variable(uri.getScheme() + "_proxy");
        if (proxy.isEmpty() || isLocal(host) || isExcepted(host)) {
            return List.of(Proxy.NO_PROXY);
        }
        URI address = URI.create(proxy.get().contains("://") ? proxy.get() : "http://" + proxy.get());
        int port = address.getPort() < 0 ? 80 : address.getPort();
        return List.of(new Proxy(Proxy.Type.HTTP, new InetSocketAddress(address.getHost(), port)));
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name))
                .or(() -> Optional.ofNullable(environment.get(name.toUpperCase(Locale.ROOT))))
                .filter(text -> !text.isEmpty());
    }

    private static boolean isLocal(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    private boolean isExcepted(String host) {
        for (String one : variable("no_proxy").orElse("").split(",")) {
            String name = one.strip().toLowerCase(Locale.ROOT);
            String end = name.startsWith(".") ? name : "." + name;
            if (name.equals("*") || (!name.isEmpty() && (host.equals(name) || host.endsWith(end)))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        // The call that wanted the connection fails and says so.
    }
}
