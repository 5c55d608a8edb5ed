package nodepool.driver.openstack.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** What a service says about why it says no, in one line. */
final class FailureText {

    private static final int ENOUGH = 500;
    private static final Pattern HEAD = Pattern.compile("(?is)<(head|style|script)\\b.*?</\\1>");
    private static final Pattern TAG = Pattern.compile("<[^>]*>");
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private FailureText() {}

    static String of(Reply reply) {
        Set<String> texts = new LinkedHashSet<>();
        collect(reply.body(), texts);
        for (JsonNode below : reply.body()) {
            collect(below, texts);
        }
        String text = texts.isEmpty() ? plain(reply.text()) : String.join("; ", texts);
        String line = BLANKS.matcher(text).replaceAll(" ").strip();
        return line.length() > ENOUGH ? line.substring(0, ENOUGH) + "…" : line;
    }

    private static void collect(JsonNode node, Set<String> texts) {
        for (String key : new String[] {"message", "faultstring"}) {
            JsonNode found = node.path(key);
            if (found.isTextual()) {
                texts.add(found.asText());
            } else if (found.isObject()) {
                collect(found, texts);
            }
        }
    }

    /** The text of a page; a body in some other form is not shown. */
    private static String plain(String body) {
        return body.stripLeading().startsWith("<")
                ? TAG.matcher(HEAD.matcher(body).replaceAll(" ")).replaceAll(" ")
                : "";
    }
}
