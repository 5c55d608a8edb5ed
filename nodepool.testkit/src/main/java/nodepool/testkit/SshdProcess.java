package nodepool.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** OpenSSH's server on a loopback port, with host keys made for it. Nobody can log in. */
public final class SshdProcess implements AutoCloseable {

    static final Path PROGRAM = Path.of("/usr/sbin/sshd");

    /** Where sshd wants an empty folder to be; service managers make it. */
    private static final Path EMPTY_FOLDER = Path.of("/run/sshd");

    private final int port;
    private final List<String> hostKeys;
    private final Running process;

    private SshdProcess(int port, List<String> hostKeys, Running process) {
        this.port = port;
        this.hostKeys = List.copyOf(hostKeys);
        this.process = process;
    }

    /**
     * Starts a server and returns when it listens.
     *
     * @param folder an empty folder for its keys
     * @param keyTypes as ssh-keygen names them: {@code rsa}, {@code ecdsa}, {@code ed25519}
     */
    public static SshdProcess start(Path folder, String... keyTypes) throws IOException, InterruptedException {
        return start(folder, FreePort.find(), List.of(), keyTypes);
    }

    /**
     * Starts a server and returns when it listens.
     *
     * @param folder an empty folder for its keys
     * @param port to listen at
     * @param options further ones, as in sshd_config: {@code KexAlgorithms=…}
     * @param keyTypes as ssh-keygen names them: {@code rsa}, {@code ecdsa}, {@code ed25519}
     */
    public static SshdProcess start(Path folder, int port, List<String> options, String... keyTypes)
            throws IOException, InterruptedException {
        Files.createDirectories(EMPTY_FOLDER);
        List<String> hostKeys = new ArrayList<>();
        List<String> command = new ArrayList<>(
                List.of(PROGRAM.toString(), "-D", "-e", "-f", "/dev/null", "-o", "ListenAddress=127.0.0.1:" + port));
        command.addAll(List.of("-o", "PidFile=none", "-o", "UsePAM=no", "-o", "MaxStartups=1000"));
        options.forEach(option -> command.addAll(List.of("-o", option)));
        for (String type : keyTypes) {
            Path key = folder.resolve("host_" + type);
            Ended.of(Map.of(), "ssh-keygen", "-q", "-t", type, "-N", "", "-f", key.toString())
                    .orFail();
            hostKeys.add(withoutComment(Files.readString(folder.resolve("host_" + type + ".pub"))));
            command.addAll(List.of("-h", key.toString()));
        }
        Running process = Running.start(Map.of(), command);
        process.await("Server listening on 127.0.0.1 port " + port);
        return new SshdProcess(port, hostKeys, process);
    }

    private static String withoutComment(String publicKey) {
        return String.join(" ", Arrays.asList(publicKey.strip().split(" ")).subList(0, 2));
    }

    public int port() {
        return port;
    }

    /** The public halves, type and key ({@code ssh-ed25519 AAAA…}), in the order of the types asked for. */
    public List<String> hostKeys() {
        return hostKeys;
    }

    /** What it has logged. */
    public Running process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }
}
