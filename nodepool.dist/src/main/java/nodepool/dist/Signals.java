package nodepool.dist;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * What the process does on a signal: INT and TERM stop it in order (the second one at once), USR2 dumps the threads and
 * toggles the profiler, HUP tells the bundles to read their files again.
 *
 * <p>The start scripts set {@code _JAVA_SR_SIGNUM}, because the JVM otherwise uses USR2 for itself.
 */
final class Signals {

    private final AtomicInteger stops = new AtomicInteger();
    private final StackDump stackDump = new StackDump();
    private volatile @Nullable RunningAssembly running;

    private Signals() {}

    static Signals install() {
        Signals signals = new Signals();
        handle("USR2", signals::dump);
        handle("HUP", () -> signals.tell("HUP"));
        handle("INT", signals::stop);
        handle("TERM", signals::stop);
        return signals;
    }

    /** From now on signals are meant for this assembly. */
    void serve(RunningAssembly assembly) {
        running = assembly;
        assembly.offer("stack-dump", Runnable.class, this::dump);
        assembly.offer("log-level", UnaryOperator.class, (UnaryOperator<String>) new LogLevels()::handle);
    }

    private void dump() {
        stackDump.log();
        tell("USR2");
    }

    private void tell(String signal) {
        RunningAssembly assembly = running;
        if (assembly != null) {
            assembly.runServices(signal);
        }
    }

    /** Runs in a thread of its own, made by the JVM for this one signal. */
    private void stop() {
        RunningAssembly assembly = running;
        if (assembly == null || stops.getAndIncrement() > 0) {
            Runtime.getRuntime().halt(0);
            return;
        }
        LoggerFactory.getLogger("nodepool.Start").info("Stopping");
        if (!assembly.stop()) {
            LoggerFactory.getLogger("nodepool.Start")
                    .warn("Not everything stopped within {} s", RunningAssembly.STOP_LIMIT.toSeconds());
            PidFile.fromSystemProperty().remove();
            Runtime.getRuntime().halt(0);
        }
    }

    /**
     * By reflection, because javac warns of {@code sun.misc.Signal} in a way no annotation can answer, and the JDK has
     * no other way to handle a signal.
     */
    private static void handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        action.run();
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
        } catch (ReflectiveOperationException e) {
            System.err.println("signal " + name + " is not handled: " + e);
        }
    }
}
