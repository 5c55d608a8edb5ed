package nodepool.metrics;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Listens where statsd would, on a free port. */
public final class UdpReceiver implements AutoCloseable {

    private final DatagramSocket socket;

    public UdpReceiver() throws IOException {
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.setSoTimeout(20_000);
    }

    /** The environment that makes Nodepool send here. */
    public Map<String, String> environment() {
        return Map.of("STATSD_HOST", "127.0.0.1", "STATSD_PORT", Integer.toString(socket.getLocalPort()));
    }

    /** The next datagram, as it is. */
    public String datagram() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65536], 65536);
        socket.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
    }

    /** Every line, until that one has come, which is not among them. */
    public List<String> linesUntil(String last) throws IOException {
        List<String> lines = new ArrayList<>();
        while (true) {
            for (String line : datagram().split("\n")) {
                if (line.equals(last)) {
                    return lines;
                }
                lines.add(line);
            }
        }
    }

    /** The values of a datagram, by name and type. */
    static Map<String, String> values(String datagram) {
        Map<String, String> values = new TreeMap<>();
        for (String line : datagram.split("\n")) {
            values.put(
                    line.substring(0, line.indexOf(':')) + line.substring(line.indexOf('|')),
                    line.substring(line.indexOf(':') + 1, line.indexOf('|')));
        }
        return values;
    }

    @Override
    public void close() {
        socket.close();
    }
}
