package nodepool.driver.statemachine.keyscan;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** A loopback port in front of another: it does something else with the first connections, and passes the others on. */
final class Door implements AutoCloseable {

    enum Welcome {
        SHUT,
        SILENT
    }

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final BlockingQueue<Socket> silent = new LinkedBlockingQueue<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final List<Welcome> first;
    private final int behind;

    /** @param behind the port to pass connections on to after the first ones */
    Door(int behind, Welcome... first) throws IOException {
        this.behind = behind;
        this.first = List.of(first);
        inBackground(this::listen);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Waits for the next connection that was welcomed with silence. */
    Socket silent() throws InterruptedException {
        return silent.take();
    }

    private void listen() throws IOException {
        for (Welcome welcome : first) {
            Socket visitor = accept();
            switch (welcome) {
                case SHUT -> visitor.close();
                case SILENT -> silent.add(visitor);
            }
        }
        while (true) {
            Socket visitor = accept();
            Socket host = new Socket(InetAddress.getLoopbackAddress(), behind);
            open.add(host);
            inBackground(() -> pass(visitor, host));
            inBackground(() -> pass(host, visitor));
        }
    }

    private Socket accept() throws IOException {
        Socket visitor = listening.accept();
        open.add(visitor);
        return visitor;
    }

    private static void pass(Socket from, Socket to) throws IOException {
        try (to;
                InputStream in = from.getInputStream()) {
            in.transferTo(to.getOutputStream());
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void inBackground(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException closed) {
                Thread.currentThread().interrupt(); // the end of a connection, and of this thread
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
