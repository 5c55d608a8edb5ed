package nodepool.builder;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that keep no JVM from ending. */
final class DaemonThreads {

    private DaemonThreads() {}

    /** Each named so, with a number from 0 behind it. */
    static ThreadFactory named(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread made = new Thread(task, prefix + "." + number.getAndIncrement());
            made.setDaemon(true);
            return made;
        };
    }
}
