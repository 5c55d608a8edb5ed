package nodepool.itest;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import nodepool.testkit.Ended;
import nodepool.testkit.FreePort;
import nodepool.testkit.Running;

/** A quick start on free ports, and the tool of a second terminal that finds it. */
record Quickstart(Running process, int port, int zkPort, Map<String, String> environment) implements AutoCloseable {

    /** Starts it and waits until the nodes that labels keep ready are there. */
    static Quickstart start(Path folder, Map<String, String> more) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("NODEPOOL_VAR", folder.resolve("var").toString());
        int port = FreePort.find();
        int zkPort = FreePort.find();
        Running process = Running.start(
                environment,
                List.of(
                        Installation.program("nodepool"),
                        "quickstart",
                        "--port",
                        Integer.toString(port),
                        "--zk-port",
                        Integer.toString(zkPort)));
        Quickstart quickstart = new Quickstart(process, port, zkPort, Map.copyOf(environment));
        try {
            process.await("Fulfilled node request 900-");
        } catch (AssertionError | InterruptedException notUp) {
            process.close();
            throw notUp;
        }
        return quickstart;
    }

    /** Runs the tool. */
    Ended nodepool(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = Installation.program("nodepool");
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return Ended.of(environment, command);
    }

    /** The answer of its web interface; with headers, names and values. */
    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        process.close();
    }
}
