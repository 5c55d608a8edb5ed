package nodepool.launcher;

import java.util.List;

/** Configuration files as most tests need them. */
final class Yaml {

    private Yaml() {}

    /** Provider {@code east} with pool {@code main} and label {@code small}; the lines go into the pool. */
    static String east(String... poolLines) {
        return labels("small") + "providers:\n" + provider("east", List.of("small"), poolLines);
    }

    /** The main list of labels, by name or as {@code {name: …}} with more keys. */
    static String labels(String... labels) {
        StringBuilder yaml = new StringBuilder("labels:\n");
        for (String label : labels) {
            yaml.append("  - ").append(entry(label)).append('\n');
        }
        return yaml.toString();
    }

    private static String entry(String label) {
        return label.startsWith("{") ? label : "name: " + label;
    }

    /** The same with another key in every provider. */
    static String inProviders(String key, String yaml) {
        return yaml.replace("    driver: scripted\n", "    driver: scripted\n    " + key + "\n");
    }

    /** A limit for a tenant, such as {@code max-servers: 2}. */
    static String tenant(String name, String limit) {
        return """
                tenant-resource-limits:
                  - tenant-name: %s
                    %s
                """.formatted(name, limit);
    }

    /**
     * An entry of the list of providers, with pool {@code main}; the lines go into the pool. Labels by name or as {@code
     * {name: …}} with more keys.
     */
    static String provider(String name, List<String> labels, String... poolLines) {
        StringBuilder yaml = new StringBuilder("""
                  - name: %s
                    driver: scripted
                    pools:
                      - name: main
                """.formatted(name));
        for (String line : poolLines) {
            yaml.append("        ").append(line).append('\n');
        }
        yaml.append("        labels:\n");
        for (String label : labels) {
            yaml.append("          - ").append(entry(label)).append('\n');
        }
        return yaml.toString();
    }
}
