package nodepool.itest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A cloud that speaks the protocol of the driver template, as a process of its own would. */
final class TextCloud implements AutoCloseable {

    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, String> servers = new ConcurrentSkipListMap<>();
    private final AtomicInteger made = new AtomicInteger();

    TextCloud() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.createContext("/servers/", this::serve);
        http.start();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String id = exchange.getRequestURI().getPath().replace("/servers/", "");
            byte[] answer = answer(exchange.getRequestMethod(), id, body).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private String answer(String method, String id, String body) {
        if (method.equals("POST")) {
            String fresh = "server-%04d".formatted(made.incrementAndGet());
            servers.put(fresh, body.split("\t", 4)[3]);
            return fresh;
        }
        if (method.equals("DELETE")) {
            servers.remove(id);
            return "";
        }
        return servers.entrySet().stream()
                .map(one -> String.join("\t", one.getKey(), "up", "127.0.0.1", one.getValue()))
                .collect(Collectors.joining("\n"));
    }

    int port() {
        return http.getAddress().getPort();
    }

    int running() {
        return servers.size();
    }

    int everMade() {
        return made.get();
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
