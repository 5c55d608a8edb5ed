package nodepool.driver.openstack.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import nodepool.driver.openstack.clouds.CloudSettings.Tls;

/** Sends single requests. Thread-safe. Owns three threads; {@link #close} ends them and fails what is under way. */
final class Transport implements AutoCloseable {

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int REDIRECTS = 30;

    private final ObjectMapper json = new ObjectMapper();
    private final ExecutorService answers;
    private final ScheduledExecutorService timer;
    private final HttpClient client;
    private final String userAgent;
    private final RequestListener listener;
    private final AtomicLong sequence = new AtomicLong();
    private final Map<Long, CompletableFuture<Reply>> underWay = new ConcurrentHashMap<>();

    /**
     * @param name in the names of the threads
     * @param listener hears of every request
     */
    Transport(String name, Tls tls, Map<String, String> environment, String userAgent, RequestListener listener)
            throws CallFailure {
        this.listener = listener;
        this.answers = Executors.newFixedThreadPool(2, task -> daemon(task, "openstack-" + name));
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "openstack-timer-" + name));
        this.userAgent = userAgent;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(new ProxyFromEnvironment(environment))
                .sslContext(TlsContext.of(tls))
                .executor(answers)
                .build();
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Sends it once; redirections of a GET on the same host are followed. Any status is a reply. */
    CompletableFuture<Reply> send(Outgoing request, Duration within) {
        long end = System.nanoTime() + within.toNanos();
        return send(request, end, REDIRECTS);
    }

    private CompletableFuture<Reply> send(Outgoing request, long end, int redirects) {
        return once(request, Duration.ofNanos(end - System.nanoTime())).thenCompose(reply -> {
            Optional<URI> other = elsewhere(request, reply);
            return other.isPresent() && redirects > 0
                    ? send(request.to(other.get()), end, redirects - 1)
                    : CompletableFuture.completedFuture(reply);
        });
    }

    private static Optional<URI> elsewhere(Outgoing request, Reply reply) {
        if (!request.method().equals("GET") || reply.status() < 301 || reply.status() > 308) {
            return Optional.empty();
        }
        return reply.header("Location")
                .map(reply.from()::resolve)
                .filter(target -> target.getRawAuthority().equals(reply.from().getRawAuthority()));
    }

    private CompletableFuture<Reply> once(Outgoing request, Duration within) {
        CompletableFuture<HttpResponse<String>> sent;
        ScheduledFuture<?> alarm;
        try {
            sent = client.sendAsync(request(request), BodyHandlers.ofString());
            alarm = timer.schedule(() -> sent.cancel(true), Math.max(1, within.toMillis()), TimeUnit.MILLISECONDS);
        } catch (FileNotFoundException gone) {
            return CompletableFuture.failedFuture(
                    new CallFailure(CallFailure.Kind.NONSENSE, "no such file: " + gone.getMessage(), gone));
        } catch (IllegalArgumentException wrong) {
            return CompletableFuture.failedFuture(new CallFailure(
                    CallFailure.Kind.UNREACHABLE, request.what() + ": not an address: " + request.address(), wrong));
        } catch (RejectedExecutionException closed) {
            return CompletableFuture.failedFuture(
                    new CallFailure(CallFailure.Kind.CLOSED, request.what() + ": the client was closed", closed));
        }
        CompletableFuture<Reply> result = new CompletableFuture<>();
        long begun = System.nanoTime();
        long number = sequence.incrementAndGet();
        underWay.put(number, result);
        result.whenComplete((reply, failure) -> underWay.remove(number));
        sent.whenComplete((response, failure) -> {
            alarm.cancel(false);
            tell(request, failure == null ? OptionalInt.of(response.statusCode()) : OptionalInt.empty(), begun);
            if (failure == null) {
                result.complete(reply(response));
            } else {
                result.completeExceptionally(failed(request, failure));
            }
        });
        return result;
    }

    private void tell(Outgoing request, OptionalInt status, long begun) {
        listener.ended(
                request.service(),
                request.method(),
                OperationName.of(URI.create(request.address()).getPath()),
                status,
                Duration.ofNanos(System.nanoTime() - begun));
    }

    private HttpRequest request(Outgoing request) throws FileNotFoundException {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(request.address()))
                .method(request.method(), publisher(request.body()))
                .header("Accept", "application/json")
                .header("User-Agent", userAgent);
        if (!(request.body() instanceof Call.Body.None)) {
            builder.header(
                    "Content-Type",
                    request.body() instanceof Call.Body.Json ? "application/json" : "application/octet-stream");
        }
        request.headers().forEach(builder::header);
        return builder.build();
    }

    private static BodyPublisher publisher(Call.Body body) throws FileNotFoundException {
        if (body instanceof Call.Body.Json value) {
            return BodyPublishers.ofString(value.value().toString());
        }
        return body instanceof Call.Body.FileContent file
                ? BodyPublishers.ofFile(file.content())
                : BodyPublishers.noBody();
    }

    private Reply reply(HttpResponse<String> response) {
        return new Reply(
                response.uri(), response.statusCode(), response.headers(), parsed(response.body()), response.body());
    }

    private JsonNode parsed(String body) {
        try {
            return body.isBlank() ? MissingNode.getInstance() : json.readTree(body);
        } catch (JsonProcessingException notJson) {
            return MissingNode.getInstance();
        }
    }

    private CallFailure failed(Outgoing request, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String where = request.what() + " at " + URI.create(request.address()).getAuthority() + ": ";
        if (cause instanceof CancellationException) {
            return new CallFailure(CallFailure.Kind.TIMEOUT, where + "no answer in time", cause);
        }
        if (cause instanceof SSLException) {
            return new CallFailure(CallFailure.Kind.UNTRUSTED, where + "TLS: " + cause.getMessage(), cause);
        }
        if (cause instanceof ConnectException
                || cause instanceof HttpConnectTimeoutException
                || cause instanceof UnresolvedAddressException) {
            return new CallFailure(CallFailure.Kind.UNREACHABLE, where + "cannot be reached", cause);
        }
        return new CallFailure(
                CallFailure.Kind.CUT_OFF,
                where + (cause instanceof IOException ? "connection lost: " : "") + cause.getMessage(),
                cause);
    }

    /** Completes after that time. */
    CompletableFuture<Void> after(Duration pause) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        try {
            ScheduledFuture<?> due = timer.schedule(() -> over.complete(null), pause.toNanos(), TimeUnit.NANOSECONDS);
            over.whenComplete((done, cancelled) -> due.cancel(false));
        } catch (RejectedExecutionException closed) {
            over.completeExceptionally(new CallFailure(CallFailure.Kind.CLOSED, "the client was closed", closed));
        }
        return over;
    }

    /** A copy of {@code shared} that fails if it takes longer. */
    <T> CompletableFuture<T> within(Duration limit, CompletableFuture<T> shared, Supplier<CallFailure> late) {
        if (shared.isDone()) {
            return shared;
        }
        CompletableFuture<T> own = shared.copy();
        CompletableFuture<Void> alarm = after(limit.isNegative() ? Duration.ZERO : limit);
        alarm.thenRun(() -> own.completeExceptionally(late.get()));
        own.whenComplete((value, failure) -> alarm.cancel(false));
        return own;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        answers.shutdownNow();
        underWay.values()
                .forEach(call ->
                        call.completeExceptionally(new CallFailure(CallFailure.Kind.CLOSED, "the client was closed")));
    }
}
