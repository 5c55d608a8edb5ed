package nodepool.testkit;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs Python scripts with kazoo, the ZooKeeper library of the programs we talk with. The script's first argument is
 * the JSON of the keyword arguments for {@code KazooClient}: {@link ZooKeeperProcess#kazooArguments}.
 */
public final class Kazoo {

    /** Debian's: another Python on the path does not see Debian's packages. */
    static final String PYTHON = "/usr/bin/python3";

    private Kazoo() {}

    /** The arguments for a plain connection. */
    public static String plain(String hosts) {
        return "{\"hosts\": \"" + hosts + "\"}";
    }

    /** Runs a script of the class's resources to its end. */
    public static Ended run(Class<?> owner, String resource, String connection, String... arguments)
            throws IOException, InterruptedException {
        return Ended.of(Map.of(), command(List.of("-c", script(owner, resource), connection), arguments));
    }

    /** Starts such a script, to go on beside the test. */
    public static Running start(Class<?> owner, String resource, String connection, String... arguments)
            throws IOException {
        return Running.start(Map.of(), List.of(command(List.of("-c", script(owner, resource), connection), arguments)));
    }

    private static String script(Class<?> owner, String resource) throws IOException {
        try (InputStream in = owner.getResourceAsStream(resource)) {
            if (in == null) {
                throw new FileNotFoundException(resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Runs a few lines, which find a started client {@code c} and {@code sys.argv[2:]}. */
    public static Ended lines(String connection, String lines, String... arguments)
            throws IOException, InterruptedException {
        return Ended.of(Map.of(), program(connection, lines, arguments));
    }

    /** Starts such lines, to go on beside the test. What they print is seen at once. */
    public static Running start(String connection, String lines, String... arguments) throws IOException {
        return Running.start(Map.of(), List.of(program(connection, lines, arguments)));
    }

    private static String[] program(String connection, String lines, String... arguments) {
        String script = """
                import json, sys
                from kazoo.client import KazooClient
                c = KazooClient(**json.loads(sys.argv[1]))
                c.start(timeout=60)
                """ + lines + "\nc.stop()\n";
        return command(List.of("-c", script, connection), arguments);
    }

    private static String[] command(List<String> first, String... arguments) {
        // Isolated: modules that lie beside the script, in the folder for temporary files, are not the library's.
        // Unbuffered: a line is there when it is printed; isolated, Python does not look at the environment for that.
        List<String> command = new ArrayList<>(List.of(PYTHON, "-I", "-u"));
        command.addAll(first);
        command.addAll(List.of(arguments));
        return command.toArray(String[]::new);
    }
}
