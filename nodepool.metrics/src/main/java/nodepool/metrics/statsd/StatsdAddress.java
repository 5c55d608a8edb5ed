package nodepool.metrics.statsd;

import java.util.Map;
import java.util.Optional;

/**
 * Where statsd listens, as the environment says.
 *
 * @param host to be resolved
 * @param port of UDP
 * @param prefix in front of every name, with a dot at its end; empty for none
 */
public record StatsdAddress(String host, int port, String prefix) {

    private static final int USUAL_PORT = 8125;

    /**
     * Absent if neither host nor port is set: nothing is sent.
     *
     * @throws IllegalArgumentException if the port is none
     */
    public static Optional<StatsdAddress> of(Map<String, String> environment) {
        String host = environment.getOrDefault("STATSD_HOST", "");
        String port = environment.getOrDefault("STATSD_PORT", "");
        if (host.isEmpty() && port.isEmpty()) {
            return Optional.empty();
        }
        String prefix = environment.getOrDefault("STATSD_PREFIX", "");
        return Optional.of(new StatsdAddress(
                host.isEmpty() ? "localhost" : host,
                port.isEmpty() ? USUAL_PORT : number(port),
                prefix.isEmpty() || prefix.endsWith(".") ? prefix : prefix + "."));
    }

    private static int number(String port) {
        int number;
        try {
            number = Integer.parseInt(port);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("STATSD_PORT is no number: " + port, e);
        }
        if (number < 1 || number > 65535) {
            throw new IllegalArgumentException("STATSD_PORT is no port: " + port);
        }
        return number;
    }
}
