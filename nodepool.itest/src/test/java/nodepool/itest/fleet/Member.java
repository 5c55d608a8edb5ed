package nodepool.itest.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import nodepool.testkit.Ended;
import nodepool.testkit.Kazoo;
import nodepool.testkit.Running;

/** One launcher of a fleet, in its life after life. */
final class Member implements AutoCloseable {

    private static final String STARTING = "Starting ";
    private static final String POOL = "-PoolWorker.";
    private static final String AWAIT_POOLS = """
            import threading
            from kazoo.exceptions import NoNodeError
            wanted, done = set(sys.argv[2:]), threading.Event()
            @c.ChildrenWatch('/nodepool/components/pool')
            def look(children):
                ids = set()
                for child in children:
                    try:
                        ids.add(json.loads(c.get('/nodepool/components/pool/' + child)[0])['id'])
                    except NoNodeError:
                        pass
                if wanted <= ids:
                    done.set()
                return not done.is_set()
            assert done.wait(60), 'pools that did not register'
            """;

    private final String name;
    private final Path installation;
    private final Path configuration;
    private final int providers;
    private final Path var;
    private Running process;

    private Member(String name, Path installation, Path configuration, int providers, Path var, Running process) {
        this.name = name;
        this.installation = installation;
        this.configuration = configuration;
        this.providers = providers;
        this.var = var;
        this.process = process;
    }

    /**
     * Starts one.
     *
     * @param installation its home
     * @param configuration its file
     * @param providers how many providers, of one pool each, that configures
     */
    static Member start(String name, Path installation, Path configuration, int providers) throws IOException {
        Path var = configuration.resolveSibling("var-" + name);
        return new Member(name, installation, configuration, providers, var, launch(installation, configuration, var));
    }

    private static Running launch(Path installation, Path configuration, Path var) throws IOException {
        return Running.start(
                Map.of("NODEPOOL_VAR", var.toString()),
                List.of(
                        installation.resolve("bin/nodepool-launcher").toString(),
                        "-f",
                        "--no-webapp",
                        "-c",
                        configuration.toString()));
    }

    /** Waits until all its pools are registered, so that others may count on it. */
    void awaitRegistered(String kazooArguments) throws IOException, InterruptedException {
        process.await(line -> pools().size() == providers, "start of " + providers + " pools");
        Kazoo.lines(kazooArguments, AWAIT_POOLS, pools().toArray(String[]::new)).orFail();
    }

    private static boolean isStart(String line) {
        return line.contains(STARTING) && line.contains(POOL);
    }

    private static String id(String line) {
        return line.substring(line.lastIndexOf(STARTING) + STARTING.length()).strip();
    }

    /** Launcher ids of the pools of its present life. */
    private Set<String> pools() {
        Set<String> ids = new HashSet<>();
        process.all().lines().filter(Member::isStart).forEach(line -> ids.add(id(line)));
        return ids;
    }

    /** Waits until it has logged that text once more, the given number of times. */
    void awaitMore(String text, int times) throws InterruptedException {
        long before = process.count(text);
        process.await(line -> line.contains(text) && process.count(text) >= before + times, times + " more: " + text);
    }

    Kill kill() throws InterruptedException {
        Kill kill = new Kill(name, Clock.systemUTC().instant(), pools());
        process.kill();
        return kill;
    }

    void restart() throws IOException {
        process = launch(installation, configuration, var);
    }

    Ended stop() throws InterruptedException {
        return process.stop();
    }

    Running process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }
}
