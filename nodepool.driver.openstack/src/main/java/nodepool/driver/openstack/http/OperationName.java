package nodepool.driver.openstack.http;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A short name for what a request is about, the same for all ids: {@code server} for {@code /v2.1/servers/ID},
 * {@code servers_detail} for the listing. A function of its argument.
 */
final class OperationName {

    private static final Pattern VERSION = Pattern.compile("v\\d[\\d.]*");
    private static final Pattern PROJECT = Pattern.compile("[0-9a-f]{32}");

    private OperationName() {}

    /** @param path of the address; what comes before the version, and a project's id after it, does not count */
    static String of(String path) {
        List<String> parts = afterVersion(path.endsWith(".json") ? path.substring(0, path.length() - 5) : path);
        if (parts.isEmpty()) {
            return "discovery";
        }
        String last = parts.get(parts.size() - 1);
        if (last.equals("tokens")) {
            return last;
        }
        if (last.equals("detail")) {
            return String.join("_", parts);
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < parts.size(); i += 2) {
            names.add(i + 1 < parts.size() ? single(parts.get(i)) : parts.get(i));
        }
        return String.join("_", names).replace('.', '_').replace(':', '_');
    }

    private static String single(String plural) {
        return plural.endsWith("s") ? plural.substring(0, plural.length() - 1) : plural;
    }

    private static List<String> afterVersion(String path) {
        List<String> parts =
                Stream.of(path.split("/")).filter(part -> !part.isEmpty()).toList();
        int begin = 0;
        for (int i = 0; i < parts.size(); i++) {
            if (VERSION.matcher(parts.get(i)).matches()) {
                begin = i + 1;
            }
        }
        boolean project =
                begin < parts.size() && PROJECT.matcher(parts.get(begin)).matches();
        return parts.subList(project ? begin + 1 : begin, parts.size());
    }
}
