package nodepool.support;

import java.io.PrintWriter;
import java.util.List;
import nodepool.api.command.Command;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** {@code stack-dump}: what SIGUSR2 does, from the shell. */
@Component(property = Command.NAME + "=stack-dump")
public final class StackDumpCommand implements Command {

    private final Runnable dump;

    @Activate
    public StackDumpCommand(@Reference(target = "(nodepool.action=stack-dump)") Runnable dump) {
        this.dump = dump;
    }

    @Override
    public String name() {
        return "stack-dump";
    }

    @Override
    public String summary() {
        return "write all threads to the log; every second time begin or end a profile, too";
    }

    @Override
    public int run(List<String> arguments, PrintWriter out, PrintWriter err) {
        if (!arguments.isEmpty()) {
            err.println("usage: stack-dump");
            return 2;
        }
        dump.run();
        out.println("The threads are in the log under nodepool.stack_dump");
        return 0;
    }
}
