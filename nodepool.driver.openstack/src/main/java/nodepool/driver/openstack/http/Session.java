package nodepool.driver.openstack.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import nodepool.driver.openstack.clouds.Authentication;
import nodepool.driver.openstack.clouds.Service;

/**
 * Logs in, once for all who wait. Thread-safe.
 *
 * <p>A refused login is not tried again for half a minute: many callers with a wrong password would get the account locked.
 */
final class Session {

    private static final Duration BEFORE_THE_END = Duration.ofMinutes(2);
    private static final Duration AFTER_REFUSAL = Duration.ofSeconds(30);

    private final Authentication how;
    private final Transport transport;
    private final Clock clock;
    private final Duration within;
    private CompletableFuture<Login> current =
            CompletableFuture.failedFuture(new IllegalStateException("no login yet"));
    private Instant refusedUntil = Instant.MIN;

    /** @param within for one login */
    Session(Authentication how, Transport transport, Clock clock, Duration within) {
        this.how = how;
        this.transport = transport;
        this.clock = clock;
        this.within = within;
    }

    /** A login that holds for a while: the present one if it does. */
    synchronized CompletableFuture<Login> login() {
        boolean usable = !current.isDone()
                || (current.isCompletedExceptionally()
                        ? clock.instant().isBefore(refusedUntil)
                        : !endsSoon(current.join()));
        return usable ? current : begin();
    }

    /** Another login than the one a service has just refused. */
    synchronized CompletableFuture<Login> insteadOf(Login refused) {
        boolean replaced = !current.isDone()
                || (!current.isCompletedExceptionally() && !current.join().equals(refused));
        return replaced ? current : begin();
    }

    private boolean endsSoon(Login login) {
        return login.expires()
                .filter(end -> clock.instant().isAfter(end.minus(BEFORE_THE_END)))
                .isPresent();
    }

    private CompletableFuture<Login> begin() {
        CompletableFuture<Login> begun = how instanceof Authentication.Fixed fixed
                ? CompletableFuture.completedFuture(fixed(fixed))
                : start().thenCompose(this::post);
        current = begun;
        begun.whenComplete((login, failure) -> {
            if (failure != null) {
                refused(Failures.of(failure));
            }
        });
        return begun;
    }

    private synchronized void refused(CallFailure failure) {
        if (failure.isStatus(401) || failure.isStatus(403)) {
            refusedUntil = clock.instant().plus(AFTER_REFUSAL);
        }
    }

    private static Login fixed(Authentication.Fixed fixed) {
        return new Login(fixed.token(), Optional.empty(), Optional.empty(), new Catalog(List.of()));
    }

    /** The address of version 3 of the identity service. */
    private CompletableFuture<String> start() {
        String address = ServiceRoot.withoutSlash(url());
        if (address.endsWith("/v3")) {
            return CompletableFuture.completedFuture(address);
        }
        String root = ServiceRoot.withoutVersion(address);
        return transport
                .send(
                        new Outgoing(
                                Service.IDENTITY,
                                "identity discovery",
                                "GET",
                                root + "/",
                                new Call.Body.None(),
                                Map.of()),
                        within)
                .thenApply(reply -> ServiceRoot.choose(Service.IDENTITY, root + "/", reply.body())
                        .map(ServiceRoot::address)
                        .orElse(root + ServiceRoot.usualPath(Service.IDENTITY)));
    }

    private String url() {
        if (how instanceof Authentication.Password password) {
            return password.url();
        }
        if (how instanceof Authentication.ExistingToken token) {
            return token.url();
        }
        return how instanceof Authentication.ApplicationCredential credential ? credential.url() : "";
    }

    private CompletableFuture<Login> post(String address) {
        Outgoing request = new Outgoing(
                Service.IDENTITY,
                "identity login",
                "POST",
                address + "/auth/tokens",
                new Call.Body.Json(LoginRequest.body(how)),
                Map.of());
        return transport.send(request, within).thenApply(reply -> {
            try {
                if (!reply.isSuccess()) {
                    throw CallFailure.refused("login at " + address, reply, true);
                }
                return Login.of(reply);
            } catch (CallFailure failure) {
                throw new CompletionException(failure);
            }
        });
    }
}
