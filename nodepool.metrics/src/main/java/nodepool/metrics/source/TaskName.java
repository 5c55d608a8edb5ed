package nodepool.metrics.source;

import java.util.Locale;
import java.util.regex.Pattern;

/** The name of a call in the original's task metrics: {@code compute.GET.servers} is {@code ComputeGetServers}. */
final class TaskName {

    private static final Pattern WORDS = Pattern.compile("[._-]");

    private TaskName() {}

    static String of(String service, String method, String operation) {
        StringBuilder name = new StringBuilder();
        for (String word : WORDS.split(service + "." + method + "." + operation, -1)) {
            if (!word.isEmpty()) {
                name.append(word.substring(0, 1).toUpperCase(Locale.ROOT));
                name.append(word.substring(1).toLowerCase(Locale.ROOT));
            }
        }
        return name.toString();
    }
}
