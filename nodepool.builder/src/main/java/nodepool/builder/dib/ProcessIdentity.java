package nodepool.builder.dib;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One process, told from every later one with the same id by its start. The latter in ticks of the kernel: as a time it
 * changes when the clock is set.
 *
 * @param pid its id
 * @param start ticks from the start of the machine to its own
 */
record ProcessIdentity(long pid, String start) {

    /** Among the fields of a process's status, behind the name in parentheses, counted from 0. */
    private static final int STATE = 0;

    private static final int START_TIME = 19;

    /** How the kernel describes that process now, in one line; absent if there is none. */
    static Optional<String> status(long pid) {
        try {
            return Optional.of(Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.UTF_8)
                    .strip());
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** Whose status that is; absent if it is none. */
    static Optional<ProcessIdentity> of(String status) {
        String[] fields = behindName(status);
        try {
            return fields.length <= START_TIME
                    ? Optional.empty()
                    : Optional.of(new ProcessIdentity(Long.parseLong(status.split(" ", 2)[0]), fields[START_TIME]));
        } catch (NumberFormatException unreadable) {
            return Optional.empty();
        }
    }

    /** Whether it still runs. One that is dead and that its parent has not asked about yet does not. */
    boolean isRunning() {
        Optional<String> now = status(pid);
        return now.flatMap(ProcessIdentity::of).filter(this::equals).isPresent()
                && now.filter(status -> "ZX".contains(behindName(status)[STATE]))
                        .isEmpty();
    }

    private static String[] behindName(String status) {
        return status.substring(Math.min(status.length(), status.lastIndexOf(')') + 2))
                .split(" ", -1);
    }
}
