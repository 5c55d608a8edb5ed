package nodepool.support;

import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;

/** Facts about this process, in words. */
final class ProcessText {

    private ProcessText() {}

    /** Java, system and bundles; no properties and no environment, in which secrets lie. */
    static String versions(BundleContext context) {
        Runtime runtime = Runtime.getRuntime();
        String head = "Java %s, %s %s %s, %d processors, heap %d of %d MiB, up %d s\n\n"
                .formatted(
                        Runtime.version(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("os.arch"),
                        runtime.availableProcessors(),
                        (runtime.totalMemory() - runtime.freeMemory()) >> 20,
                        runtime.maxMemory() >> 20,
                        ManagementFactory.getRuntimeMXBean().getUptime() / 1000);
        return head
                + Stream.of(context.getBundles())
                        .sorted(Comparator.comparing(Bundle::getSymbolicName))
                        .map(bundle -> "%s %s %s\n"
                                .formatted(bundle.getSymbolicName(), bundle.getVersion(), state(bundle.getState())))
                        .collect(Collectors.joining());
    }

    private static String state(int state) {
        return switch (state) {
            case Bundle.ACTIVE -> "active";
            case Bundle.STARTING -> "starting";
            case Bundle.STOPPING -> "stopping";
            case Bundle.RESOLVED -> "resolved";
            default -> "installed";
        };
    }

    static String threads() {
        return Thread.getAllStackTraces().entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey().getName()))
                .map(ProcessText::thread)
                .collect(Collectors.joining("\n"));
    }

    private static String thread(Map.Entry<Thread, StackTraceElement[]> entry) {
        Thread thread = entry.getKey();
        return "%s (%s)\n".formatted(thread.getName(), thread.getState())
                + Stream.of(entry.getValue())
                        .map(frame -> "  at " + frame + "\n")
                        .collect(Collectors.joining());
    }
}
