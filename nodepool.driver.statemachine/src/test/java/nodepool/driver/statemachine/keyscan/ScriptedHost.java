package nodepool.driver.statemachine.keyscan;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Speaks SSH up to the host key: each connection finds the next offer, the last one again and again. */
final class ScriptedHost implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<String> hidden;
    private final List<List<String>> offers;

    /**
     * @param hidden types that it offers and, asked for them, hangs up
     * @param offers key types, for one connection after the other
     */
    ScriptedHost(Set<String> hidden, List<List<String>> offers) throws IOException {
        this.hidden = Set.copyOf(hidden);
        this.offers = List.copyOf(offers);
        Thread thread = new Thread(this::serve, "scripted-host");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listening.getLocalPort();
    }

    private void serve() {
        for (int i = 0; !listening.isClosed(); i++) {
            try (Socket visitor = listening.accept()) {
                talk(visitor, offers.get(Math.min(i, offers.size() - 1)));
            } catch (IOException hungUp) {
                // the next visitor, or the end
            }
        }
    }

    private void talk(Socket visitor, List<String> offer) throws IOException {
        visitor.getOutputStream().write(Messages.greeting());
        visitor.getOutputStream().write(Messages.init(List.of("curve25519-sha256"), offer));
        Inbox heard = new Inbox();
        while (!heard.takeGreeting()) {
            hear(visitor, heard);
        }
        Optional<byte[]> question = heard.takePacket();
        while (question.isEmpty()) {
            hear(visitor, heard);
            question = heard.takePacket();
        }
        SshReader in = new SshReader(question.get());
        in.skip(17);
        in.names();
        String type = in.names().get(0);
        if (!hidden.contains(type)) {
            visitor.getOutputStream().write(Messages.reply(type));
            visitor.getInputStream().readAllBytes();
        }
    }

    private static void hear(Socket visitor, Inbox heard) throws IOException {
        byte[] some = new byte[4096];
        int length = visitor.getInputStream().read(some);
        if (length < 0) {
            throw new IOException("hung up");
        }
        heard.add(ByteBuffer.wrap(some, 0, length));
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
