package nodepool.zk;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Stands between a client and the server on loopback, and cuts the connection at a chosen moment. */
final class CuttingProxy implements Closeable {

    /** When to cut: before the server hears of the next packet, or before the client hears the next answer to it. */
    enum Cut {
        BEFORE_THE_SERVER,
        BEFORE_THE_ANSWER
    }

    private final int target;
    private final ServerSocket listening;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile Armed armed = new Armed(Cut.BEFORE_THE_SERVER, new byte[0]);

    /** A cut at the packet that holds those bytes; none when they are empty. */
    @SuppressWarnings("ArrayRecordComponent") // compared with traffic only
    private record Armed(Cut when, byte[] marker) {}

    private final AtomicLong packets = new AtomicLong();
    private volatile boolean swallowing;
    private volatile boolean closed;
    private volatile CompletableFuture<Void> cut = new CompletableFuture<>();

    CuttingProxy(int target) throws IOException {
        this.target = target;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** Cuts once, at the next packet from the client in which that text appears; completes when it did. */
    CompletableFuture<Void> cut(Cut when, String marker) {
        cut = new CompletableFuture<>();
        armed = new Armed(when, marker.getBytes(StandardCharsets.US_ASCII));
        return cut;
    }

    /** How often the client has sent something. */
    long packets() {
        return packets.get();
    }

    /** Cuts now. */
    void drop() {
        open.forEach(CuttingProxy::shut);
        open.clear();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                swallowing = false;
                open.add(client);
                open.add(server);
                start("to-server", () -> toServer(client, server));
                start("to-client", () -> toClient(server, client));
            } catch (IOException ended) {
                if (closed) {
                    return;
                }
            }
        }
    }

    private void toServer(Socket client, Socket server) {
        byte[] buffer = new byte[1 << 16];
        try (client;
                server) {
            InputStream in = client.getInputStream();
            OutputStream out = server.getOutputStream();
            int length = in.read(buffer);
            while (length >= 0) {
                packets.incrementAndGet();
                Armed now = armed;
                boolean hit = now.marker().length > 0 && contains(buffer, length, now.marker());
                if (hit) {
                    armed = new Armed(now.when(), new byte[0]);
                    if (now.when() == Cut.BEFORE_THE_SERVER) {
                        drop();
                        cut.complete(null);
                        return;
                    }
                    swallowing = true;
                }
                out.write(buffer, 0, length);
                out.flush();
                length = in.read(buffer);
            }
        } catch (IOException broken) {
            // The other direction ends with it.
        }
    }

    private void toClient(Socket server, Socket client) {
        byte[] buffer = new byte[1 << 16];
        try (client;
                server) {
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            int length = in.read(buffer);
            while (length >= 0) {
                if (swallowing) {
                    swallowing = false;
                    drop();
                    cut.complete(null);
                    return;
                }
                out.write(buffer, 0, length);
                out.flush();
                length = in.read(buffer);
            }
        } catch (IOException broken) {
            // The other direction ends with it.
        }
    }

    private static boolean contains(byte[] in, int length, byte[] wanted) {
        for (int at = 0; at + wanted.length <= length; at++) {
            int same = 0;
            while (same < wanted.length && in[at + same] == wanted[same]) {
                same++;
            }
            if (same == wanted.length) {
                return true;
            }
        }
        return false;
    }

    private static void start(String name, Runnable run) {
        Thread thread = new Thread(run, "proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void shut(Socket socket) {
        try {
            socket.close();
        } catch (IOException already) {
            // closed is what is wanted
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        listening.close();
        drop();
    }
}
