package nodepool.dist;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the assembly named by the only argument and stays until it is told to stop.
 *
 * <p>Everything else comes as system properties, which are framework properties too, so that any bundle can read
 * them: {@code nodepool.home} (the installation), {@code nodepool.var} (a folder we may write to), and for the bundles
 * {@code nodepool.config}, {@code nodepool.secure}, {@code nodepool.webapp}, {@code nodepool.debug} and whatever else the
 * start scripts or an operator define.
 *
 * <p>Exit codes: 0 after a signal or a stop from the shell, 1 for a failed start or when
 * a bundle says that nothing may be done here, 2 for wrong usage.
 */
public final class Main {

    static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private Main() {}

    public static void main(String[] args) {
        // First: before its handler is there, a SIGUSR2 kills the process.
        Signals signals = Signals.install();
        if (args.length != 1) {
            System.err.println("usage: java -Dnodepool.home=FOLDER nodepool.dist.Main ASSEMBLY");
            System.exit(WRONG_USAGE);
        }
        try {
            OwnPorts.requireFree(System.getProperty(OwnPorts.PROPERTY, ""));
        } catch (IOException taken) {
            System.err.println("nodepool: " + taken.getMessage());
            System.exit(FAILED);
        }
        PidFile.fromSystemProperty().removeAtExit();
        System.exit(run(args[0], signals));
    }

    private static int run(String name, Signals signals) {
        Logger log = LoggerFactory.getLogger("nodepool.Start");
        Path home = Path.of(System.getProperty("nodepool.home", ".")).toAbsolutePath();
        try (CacheFolder cache = CacheFolder.claim(name)) {
            AssemblyFile assembly = AssemblyFile.read(home.resolve("assemblies").resolve(name + ".bndrun"));
            RunningAssembly running = RunningAssembly.prepare(home, assembly, cache.path());
            signals.serve(running);
            List<String> failures = running.start();
            if (running.stopping()) {
                return running.join();
            }
            if (!failures.isEmpty()) {
                failures.forEach(failure -> log.error("{} does not start: {}", name, failure));
                running.stop();
                return FAILED;
            }
            log.info("{} started: {}", name, ProcessFacts.describe(running.bundleCount()));
            return running.join();
        } catch (Exception e) {
            log.error("{} does not start", name, e);
            return FAILED;
        }
    }
}
