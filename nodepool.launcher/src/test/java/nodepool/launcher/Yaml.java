package nodepool.launcher;

import java.util.List;

/** Configuration files as most tests need them. */
final class Yaml {

    private Yaml() {}

    /** Provider {@code east} with pool {@code main} and label {@code small}; the lines go into the pool. */
    static String east(String... poolLines) {
        return labels("small") + "providers:\n" + provider("east", List.of("small"), poolLines);
    }

    /** Labels by name. */
    static String labels(String... names) {
        StringBuilder yaml = new StringBuilder("labels:\n");
        for (String name : names) {
            yaml.append("  - name: ").append(name).append('\n');
        }
        return yaml.toString();
    }

    /** An entry of the list of providers, with pool {@code main}; the lines go into the pool. */
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
            yaml.append("          - name: ").append(label).append('\n');
        }
        return yaml.toString();
    }
}
