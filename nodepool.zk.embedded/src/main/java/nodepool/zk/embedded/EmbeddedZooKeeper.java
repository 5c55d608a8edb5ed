package nodepool.zk.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** One server on loopback, without fsync: what it stores survives the process, not the machine. */
public final class EmbeddedZooKeeper implements AutoCloseable {

    private static final int TICK_MILLIS = 1000;

    private final ServerCnxnFactory connections;
    private final ZooKeeperServer server;

    private EmbeddedZooKeeper(ServerCnxnFactory connections, ZooKeeperServer server) {
        this.connections = connections;
        this.server = server;
    }

    /**
     * Starts a server. Blocks for some tenths of a second.
     *
     * @param directory for its data; what an earlier server left there is served again
     * @param port to listen on; 0 picks a free one
     */
    public static EmbeddedZooKeeper start(Path directory, int port) throws IOException, InterruptedException {
        System.setProperty("zookeeper.forceSync", "no");
        System.setProperty("zookeeper.preAllocSize", "1024");
        ZooKeeperServer server = new ZooKeeperServer(
                directory.resolve("data").toFile(), directory.resolve("log").toFile(), TICK_MILLIS);
        NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
        connections.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        connections.startup(server);
        return new EmbeddedZooKeeper(connections, server);
    }

    /** The port it listens on. */
    public int port() {
        return connections.getLocalPort();
    }

    /** As clients want it. */
    public String connectString() {
        return "127.0.0.1:" + port();
    }

    /** The number of the last transaction; the difference of two readings counts transactions. */
    public long lastTransaction() {
        return server.getZKDatabase().getDataTreeLastProcessedZxid();
    }

    /** Ends a client's session, as if it had not been heard of for too long. */
    public void expire(long sessionId) {
        server.closeSession(sessionId);
    }

    @Override
    public void close() {
        connections.shutdown();
        server.shutdown();
    }
}
