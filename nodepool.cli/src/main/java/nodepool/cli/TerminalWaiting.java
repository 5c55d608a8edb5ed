package nodepool.cli;

import java.io.PrintWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import nodepool.cli.verb.Waiting;

/**
 * One line on a terminal that says what is waited for, and for how long by now. It comes after a second, and is wiped out when
 * the wait is over. Thread-safe.
 */
final class TerminalWaiting implements Waiting {

    private static final String WIPE = "\r\u001b[K";

    private final String what;
    private final PrintWriter terminal;
    private final Executor inASecond;
    private int seconds;
    private boolean over;

    private TerminalWaiting(String what, PrintWriter terminal, Executor inASecond) {
        this.what = what;
        this.terminal = terminal;
        this.inASecond = inASecond;
    }

    static Waiting begin(String what, PrintWriter terminal) {
        return begin(what, terminal, CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));
    }

    static Waiting begin(String what, PrintWriter terminal, Executor inASecond) {
        TerminalWaiting waiting = new TerminalWaiting(what, terminal, inASecond);
        inASecond.execute(waiting::tell);
        return waiting;
    }

    private synchronized void tell() {
        if (!over) {
            seconds++;
            terminal.print(WIPE + what + " (" + seconds + " s)");
            terminal.flush();
            inASecond.execute(this::tell);
        }
    }

    @Override
    public synchronized void close() {
        if (!over && seconds > 0) {
            terminal.print(WIPE);
            terminal.flush();
        }
        over = true;
    }
}
