package nodepool.support;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import nodepool.api.command.Command;
import nodepool.api.monitor.HealthCheck.Health;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** {@code health}: every part of this process with its status. */
@Component(property = Command.NAME + "=health")
public final class HealthCommand implements Command {

    private final HealthBoard board;

    @Activate
    public HealthCommand(@Reference HealthBoard board) {
        this.board = board;
    }

    @Override
    public String name() {
        return "health";
    }

    @Override
    public String summary() {
        return "show how the parts of this process are; exit code 1 if one is not ready";
    }

    @Override
    public int run(List<String> arguments, PrintWriter out, PrintWriter err) {
        if (!arguments.isEmpty()) {
            err.println("usage: health");
            return 2;
        }
        List<Health> all = board.all();
        all.forEach(one -> out.println(line(one)));
        return all.stream().allMatch(one -> one.status().isReady()) ? 0 : 1;
    }

    static String line(Health health) {
        return "%-8s %s: %s".formatted(health.status().name().toLowerCase(Locale.ROOT), health.part(), health.text());
    }
}
