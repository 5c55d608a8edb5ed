package nodepool.api.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How to reach ZooKeeper.
 *
 * @param servers {@code host:port} each; IPv6 literals in brackets
 * @param chroot below which everything lies, starting with a slash; empty for none
 * @param timeout of the session
 * @param tls absent: plain connections
 */
public record ZooKeeperConfig(List<String> servers, String chroot, Duration timeout, Optional<Tls> tls) {

    /**
     * @param cert PEM certificate of the client
     * @param key its PEM key
     * @param ca PEM certificates to trust
     * @param verifyHostname whether the server's certificate must name its host
     */
    public record Tls(Path cert, Path key, Path ca, boolean verifyHostname) {}

    public ZooKeeperConfig {
        servers = List.copyOf(servers);
    }

    /** As ZooKeeper's client wants it. */
    public String connectString() {
        return String.join(",", servers) + chroot;
    }
}
