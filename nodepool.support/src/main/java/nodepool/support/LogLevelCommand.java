package nodepool.support;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.UnaryOperator;
import nodepool.api.command.Command;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** {@code log-level [LOGGER [LEVEL]]}: shows or changes how much is logged, while the process runs. */
@Component(property = Command.NAME + "=log-level")
public final class LogLevelCommand implements Command {

    private final UnaryOperator<String> levels;

    /** @param levels the program that started the framework does it: {@code LOGGER=LEVEL} in, what there is now out */
    @Activate
    public LogLevelCommand(@Reference(target = "(nodepool.action=log-level)") UnaryOperator<String> levels) {
        this.levels = levels;
    }

    @Override
    public String name() {
        return "log-level";
    }

    @Override
    public String summary() {
        return "show or change the level of a logger: log-level [LOGGER [LEVEL|inherit]]";
    }

    @Override
    public int run(List<String> arguments, PrintWriter out, PrintWriter err) {
        if (arguments.size() > 2 || arguments.stream().anyMatch(word -> word.startsWith("-"))) {
            err.println("usage: log-level [LOGGER [LEVEL|inherit]]");
            return 2;
        }
        try {
            out.println(levels.apply(String.join("=", arguments).replaceAll("=inherit$", "=")));
            return 0;
        } catch (IllegalArgumentException wrong) {
            err.println(wrong.getMessage());
            return 2;
        }
    }
}
