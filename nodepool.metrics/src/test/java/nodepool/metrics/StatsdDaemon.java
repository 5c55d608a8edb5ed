package nodepool.metrics;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The original statsd daemon, asked through its management port. */
final class StatsdDaemon implements AutoCloseable {

    private static final Path PROGRAM = Path.of("src/test/statsd/node_modules/statsd/stats.js");
    private static final Pattern ENTRY = Pattern.compile("'?([\\w.-]+)'?: (-?[\\d.]+)");

    private final Process process;
    private final int port;
    private final int managementPort;

    private StatsdDaemon(Process process, int port, int managementPort) {
        this.process = process;
        this.port = port;
        this.managementPort = managementPort;
    }

    /** Starts one and waits until it says that it is up. */
    static StatsdDaemon start(Path folder) throws IOException {
        int port = freeUdpPort();
        int managementPort = freeTcpPort();
        Path config = folder.resolve("statsd.js");
        Files.writeString(config, """
                { address: "127.0.0.1", port: %d, mgmt_address: "127.0.0.1", mgmt_port: %d,
                  backends: [], flushInterval: 3600000 }
                """.formatted(port, managementPort));
        Process process = new ProcessBuilder("node", PROGRAM.toString(), config.toString())
                .redirectErrorStream(true)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder said = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            said.append(line).append('\n');
            if (line.contains("server is up")) {
                StatsdDaemon daemon = new StatsdDaemon(process, port, managementPort);
                daemon.awaitSocket();
                return daemon;
            }
        }
        throw new IOException("statsd does not start: " + said);
    }

    /** It says that it is up before it listens: knocks until one knock is counted, under a name of the daemon's own. */
    private void awaitSocket() throws IOException {
        byte[] knock = "statsd.knock:1|c".getBytes(StandardCharsets.US_ASCII);
        try (DatagramSocket socket = new DatagramSocket()) {
            while (!hasCounted("statsd.knock")) {
                socket.send(new DatagramPacket(knock, knock.length, InetAddress.getLoopbackAddress(), port));
            }
        }
    }

    private boolean hasCounted(String name) throws IOException {
        try {
            return ask("counters").containsKey(name);
        } catch (ConnectException notYet) {
            return false;
        }
    }

    private static int freeUdpPort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static int freeTcpPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    Map<String, String> environment() {
        return Map.of("STATSD_HOST", "127.0.0.1", "STATSD_PORT", Integer.toString(port));
    }

    /** @param what {@code counters} or {@code gauges} */
    Map<String, Double> ask(String what) throws IOException {
        Map<String, Double> values = new TreeMap<>();
        Matcher entry = ENTRY.matcher(said(what));
        while (entry.find()) {
            values.put(entry.group(1), Double.parseDouble(entry.group(2)));
        }
        return values;
    }

    /** How it answers to a command, with its quotes and brackets. */
    String said(String command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), managementPort)) {
            socket.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            StringBuilder text = new StringBuilder();
            for (String line = in.readLine(); line != null && !line.equals("END"); line = in.readLine()) {
                text.append(line).append('\n');
            }
            return text.toString();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
