package nodepool.dist;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The common shape of OSGi and bnd headers: clauses apart by comma, each a name and attributes apart by semicolon,
 * values in quotes where they hold one of those. A clause that begins with an attribute has an empty name.
 */
record BndHeader(List<Clause> clauses) {

    record Clause(String name, Map<String, String> attributes) {
        Clause {
            attributes = Map.copyOf(attributes);
        }
    }

    BndHeader {
        clauses = List.copyOf(clauses);
    }

    static BndHeader parse(String text) {
        List<Clause> clauses = new ArrayList<>();
        for (String clause : split(text, ',')) {
            String name = "";
            Map<String, String> attributes = new LinkedHashMap<>();
            for (String part : split(clause, ';')) {
                int equals = part.indexOf('=');
                if (equals < 0) {
                    name = part;
                } else {
                    String key = part.substring(0, equals).trim();
                    attributes.put(
                            key.endsWith(":") ? key.substring(0, key.length() - 1) : key,
                            unquote(part.substring(equals + 1).trim()));
                }
            }
            clauses.add(new Clause(name, attributes));
        }
        return new BndHeader(clauses);
    }

    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote == 0 && c == separator) {
                parts.add(part.toString());
                part.setLength(0);
                continue;
            }
            if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            }
            part.append(c);
        }
        parts.add(part.toString());
        return parts.stream().map(String::trim).filter(s -> !s.isEmpty()).toList();
    }

    private static String unquote(String value) {
        boolean quoted = value.length() > 1 && (value.charAt(0) == '\'' || value.charAt(0) == '"');
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}
