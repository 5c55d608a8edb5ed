package nodepool.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Debian's ZooKeeper, a process of its own on a loopback port, with its own data. It is up when it is returned. */
public final class ZooKeeperProcess implements AutoCloseable {

    private static final Path JARS = Path.of("/usr/share/java");
    private static final List<String> NAMES = List.of(
            "zookeeper",
            "zookeeper-jute",
            "slf4j-api",
            "slf4j-simple",
            "netty-buffer",
            "netty-codec",
            "netty-common",
            "netty-handler",
            "netty-resolver",
            "netty-transport",
            "netty-transport-native-epoll",
            "netty-transport-native-unix-common",
            "metrics-core",
            "snappy-java",
            "commons-io",
            "jackson-annotations",
            "jackson-core",
            "jackson-databind");

    /** Logged when everything listens, TLS too: the last thing but one that its start does. */
    private static final String UP = "Using checkIntervalMs";

    private final Path configuration;
    private final int port;
    private final Optional<TlsFiles> tls;
    private Running process;

    private ZooKeeperProcess(Path configuration, int port, Optional<TlsFiles> tls, Running process) {
        this.configuration = configuration;
        this.port = port;
        this.tls = tls;
        this.process = process;
    }

    static boolean isInstalled() {
        return jars().allMatch(Files::isReadable);
    }

    private static Stream<Path> jars() {
        return NAMES.stream().map(name -> JARS.resolve(name + ".jar"));
    }

    static String javaHome(String program) {
        return Path.of(System.getProperty("java.home"), "bin", program).toString();
    }

    /** Starts one that anybody can talk to. */
    public static ZooKeeperProcess start(Path folder) throws IOException, InterruptedException {
        return start(folder, FreePort.find());
    }

    /** Starts one on a port that a test has already told others of. */
    public static ZooKeeperProcess start(Path folder, int port) throws IOException, InterruptedException {
        return start(folder, port, Optional.empty(), """
                clientPort=%d
                clientPortAddress=127.0.0.1
                """.formatted(port));
    }

    /** Starts one that talks TLS only, with clients that have a certificate of the same authority. */
    public static ZooKeeperProcess startTls(Path folder) throws IOException, InterruptedException {
        return startTls(folder, FreePort.find(), TlsFiles.make(Files.createDirectories(folder.resolve("tls"))));
    }

    public static ZooKeeperProcess startTls(Path folder, int port, TlsFiles tls)
            throws IOException, InterruptedException {
        return start(folder, port, Optional.of(tls), """
                secureClientPort=%d
                secureClientPortAddress=127.0.0.1
                serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory
                ssl.keyStore.location=%s
                ssl.keyStore.type=PEM
                ssl.trustStore.location=%s
                ssl.trustStore.type=PEM
                """.formatted(port, tls.server(), tls.authority()));
    }

    private static ZooKeeperProcess start(Path folder, int port, Optional<TlsFiles> tls, String transport)
            throws IOException, InterruptedException {
        Path configuration = Files.writeString(
                folder.resolve("zoo-" + port + ".cfg"),
                transport + """
                dataDir=%s
                tickTime=500
                maxClientCnxns=0
                admin.enableServer=false
                4lw.commands.whitelist=*
                """.formatted(Files.createDirectories(folder.resolve("zoo-" + port))));
        return new ZooKeeperProcess(configuration, port, tls, launch(configuration));
    }

    /** Where its transaction log and its snapshots lie, in {@code version-2}. */
    public Path dataFolder() {
        return configuration.resolveSibling("zoo-" + port);
    }

    private static Running launch(Path configuration) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(javaHome("java"), "-XX:+UseSerialGC", "-Xmx128m"));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
        command.add(jars().map(Path::toString).collect(Collectors.joining(":")));
        command.addAll(List.of("org.apache.zookeeper.server.quorum.QuorumPeerMain", configuration.toString()));
        Running process = Running.start(Map.of(), command);
        try {
            process.await(UP);
        } catch (AssertionError | InterruptedException notUp) {
            process.close();
            throw notUp;
        }
        return process;
    }

    public int port() {
        return port;
    }

    public String connectString() {
        return "127.0.0.1:" + port;
    }

    /** The files of a TLS connection; empty for a plain one. */
    public Optional<TlsFiles> tls() {
        return tls;
    }

    /** How kazoo connects, as JSON. */
    public String kazooArguments() {
        return tls.map(files ->
                        """
                {"hosts": "%s", "use_ssl": true, "verify_certs": true, "ca": "%s", "certfile": "%s", "keyfile": "%s"}""".formatted(connectString(), files.authority(), files.clientCertificate(), files.clientKey()))
                .orElseGet(() -> Kazoo.plain(connectString()));
    }

    /** How nodepool connects: the lines of its configuration. */
    public String nodepoolConfiguration() {
        String servers = "zookeeper-servers:\n  - host: 127.0.0.1\n    port: " + port + "\n";
        return servers
                + tls.map(files -> "zookeeper-tls:\n  ca: %s\n  cert: %s\n  key: %s\n"
                                .formatted(files.authority(), files.clientCertificate(), files.clientKey()))
                        .orElse("");
    }

    /** What it has logged since its last start. */
    public Running process() {
        return process;
    }

    /** Stops it in order. Its data stays. */
    public void stop() throws InterruptedException {
        process.stop();
    }

    /** Kills it. What it had acknowledged stays. */
    public void kill() throws InterruptedException {
        process.kill();
    }

    /** Starts it again, on the same port and with its data, after it was stopped or killed. */
    public void restart() throws IOException, InterruptedException {
        process = launch(configuration);
    }

    @Override
    public void close() {
        process.close();
    }
}
