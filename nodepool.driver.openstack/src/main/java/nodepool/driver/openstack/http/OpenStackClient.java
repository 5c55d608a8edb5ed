package nodepool.driver.openstack.http;

import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import nodepool.driver.openstack.clouds.Authentication;
import nodepool.driver.openstack.clouds.CloudSettings;
import nodepool.driver.openstack.clouds.CloudSettings.Endpoint;
import nodepool.driver.openstack.clouds.Service;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls to the services of one region of one cloud. Each call has one deadline, for logging in, pauses and further tries
 * together. Thread-safe; nothing blocks. Futures fail with {@link CallFailure}, see {@link Failures#of}.
 */
public final class OpenStackClient implements AutoCloseable {

    /** For one call, unless the call or the settings say otherwise. */
    public static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final Logger LOG = LoggerFactory.getLogger("nodepool.OpenStackClient");

    private final CloudSettings settings;
    private final Transport transport;
    private final Session session;
    private final Duration deadline;
    private final Map<Service, CompletableFuture<ServiceRoot>> roots = new EnumMap<>(Service.class);

    /**
     * @param name in the names of threads
     * @param environment where proxies are looked for
     * @param listener hears of every request
     * @throws CallFailure if TLS cannot be set up as the settings say
     */
    public OpenStackClient(
            String name, CloudSettings settings, Map<String, String> environment, Clock clock, RequestListener listener)
            throws CallFailure {
        this.settings = settings;
        this.deadline = settings.timeout().orElse(DEADLINE);
        this.transport = new Transport(name, settings.tls(), environment, "nodepool", listener);
        this.session = new Session(settings.authentication(), transport, clock, deadline);
    }

    /**
     * Looks at what needs no network.
     *
     * @throws CallFailure if TLS cannot be set up as the settings say; its message names the file
     */
    public static void requireUsable(CloudSettings settings) throws CallFailure {
        TlsContext.of(settings.tls());
    }

    /** Where a call stands: the service's answer must come before {@code end}. */
    private record Attempt(Call call, long end, int tries, boolean loggedInAnew) {

        Duration left() {
            return Duration.ofNanos(end - System.nanoTime());
        }

        Attempt again() {
            return new Attempt(call, end, tries + 1, loggedInAnew);
        }

        Attempt withNewLogin() {
            return new Attempt(call, end, tries, true);
        }
    }

    /** Makes a call. Succeeds with a reply of 2xx only. */
    public CompletableFuture<Reply> send(Call call) {
        long begun = System.nanoTime();
        long end = begun + call.within().orElse(deadline).toNanos();
        return bounded(session.login(), call, end)
                .thenCompose(login -> attempt(new Attempt(call, end, 1, false), login))
                .whenComplete((reply, failure) -> LOG.debug(
                        "API call {} in {} ms: {}",
                        call,
                        Duration.ofNanos(System.nanoTime() - begun).toMillis(),
                        failure == null ? reply.status() : Failures.of(failure).getMessage()));
    }

    /** Completes after that time. */
    public CompletableFuture<Void> after(Duration time) {
        return transport.after(time);
    }

    /** Whether the cloud has that service. */
    public CompletableFuture<Boolean> has(Service service) {
        return session.login().thenApply(login -> address(service, login).isPresent());
    }

    /** The newest microversion of a service; absent if it has none. */
    public CompletableFuture<Optional<Version>> newestMicroversion(Service service) {
        return session.login().thenCompose(login -> root(service, login)).thenApply(ServiceRoot::newest);
    }

    /** The project we work in; absent if the login has none. */
    public CompletableFuture<Optional<String>> project() {
        return session.login().thenApply(Login::project);
    }

    private CompletableFuture<Reply> attempt(Attempt attempt, Login login) {
        return bounded(root(attempt.call().service(), login), attempt.call(), attempt.end())
                .thenCompose(
                        root -> transport.send(request(attempt.call(), root).with(login.token()), attempt.left()))
                .handle((reply, thrown) -> outcome(attempt, login, Optional.ofNullable(reply), thrown))
                .thenCompose(Function.identity());
    }

    private CompletableFuture<Reply> outcome(
            Attempt attempt, Login login, Optional<Reply> reply, @Nullable Throwable thrown) {
        if (reply.isPresent() && reply.get().isSuccess()) {
            return CompletableFuture.completedFuture(reply.get());
        }
        Call call = attempt.call();
        if (reply.isPresent() && reply.get().status() == 401 && !attempt.loggedInAnew() && canBeSentAgain(call)) {
            return bounded(session.insteadOf(login), call, attempt.end())
                    .thenCompose(other -> attempt(attempt.withNewLogin(), other));
        }
        CallFailure failure = reply.isPresent()
                ? CallFailure.refused(call.toString(), reply.get(), false)
                : Failures.of(Objects.requireNonNull(thrown, "thrown"));
        return Retries.pause(call, settings.service(call.service()), failure, attempt.tries())
                .filter(pause -> pause.compareTo(attempt.left()) < 0)
                .map(pause -> transport.after(pause).thenCompose(over -> attempt(attempt.again(), login)))
                .orElseGet(() -> CompletableFuture.failedFuture(failure));
    }

    /** A file may be large; nobody sends it twice without asking. */
    private static boolean canBeSentAgain(Call call) {
        return !(call.body() instanceof Call.Body.FileContent);
    }

    /** Waits for something shared no longer than the call may take. The shared thing itself goes on. */
    private <T> CompletableFuture<T> bounded(CompletableFuture<T> shared, Call call, long end) {
        return transport.within(
                Duration.ofNanos(end - System.nanoTime()),
                shared,
                () -> new CallFailure(CallFailure.Kind.UNREACHABLE, call + ": no login or version in time"));
    }

    private Outgoing request(Call call, ServiceRoot root) {
        Map<String, String> headers = new TreeMap<>();
        call.microversion()
                .or(() -> settings.service(call.service()).microversion())
                .ifPresent(version -> {
                    headers.put("OpenStack-API-Version", call.service().word() + " " + version);
                    if (call.service() == Service.COMPUTE) {
                        headers.put("X-OpenStack-Nova-API-Version", version);
                    }
                });
        return new Outgoing(
                call.service(), call.toString(), call.method(), root.address() + call.target(), call.body(), headers);
    }

    private Optional<String> address(Service service, Login login) {
        Endpoint endpoint = settings.service(service);
        if (endpoint.override().isPresent()) {
            return endpoint.override();
        }
        return settings.authentication() instanceof Authentication.Fixed fixed
                ? Optional.of(fixed.endpoint())
                : login.catalog().find(service, endpoint, settings.region());
    }

    private CompletableFuture<ServiceRoot> root(Service service, Login login) {
        synchronized (roots) {
            CompletableFuture<ServiceRoot> known = roots.get(service);
            if (known != null && !known.isCompletedExceptionally()) {
                return known;
            }
            CompletableFuture<ServiceRoot> asked = address(service, login)
                    .map(address -> discover(service, ServiceRoot.withoutSlash(address), login))
                    .orElseGet(() -> CompletableFuture.failedFuture(missing(service, login)));
            roots.put(service, asked);
            return asked;
        }
    }

    private CallFailure missing(Service service, Login login) {
        return new CallFailure(
                CallFailure.Kind.NO_SERVICE,
                "cloud %s has no %s service%s with interface %s; its regions are %s"
                        .formatted(
                                settings.name(),
                                service.word(),
                                settings.region()
                                        .map(name -> " in region " + name)
                                        .orElse(""),
                                settings.service(service).interfaces(),
                                login.catalog().regions()));
    }

    /**
     * Asks which versions there are, if the address does not say or microversions matter. A service that does not tell is used
     * as its address, or custom, says.
     */
    private CompletableFuture<ServiceRoot> discover(Service service, String address, Login login) {
        boolean versioned = ServiceRoot.isVersioned(address);
        ServiceRoot assumed =
                new ServiceRoot(versioned ? address : address + ServiceRoot.usualPath(service), Optional.empty());
        if (versioned && service != Service.COMPUTE) {
            return CompletableFuture.completedFuture(assumed);
        }
        String asked = address + "/";
        Outgoing request =
                new Outgoing(service, service.word() + " discovery", "GET", asked, new Call.Body.None(), Map.of());
        return transport.send(request.with(login.token()), deadline).thenApply(reply -> {
            if (reply.status() >= 500 || reply.status() == 429) {
                throw new CompletionException(CallFailure.refused(request.what(), reply, false));
            }
            return ServiceRoot.choose(service, asked, reply.body())
                    .map(found -> versioned ? new ServiceRoot(address, found.newest()) : found)
                    .orElse(assumed);
        });
    }

    @Override
    public void close() {
        transport.close();
    }
}
