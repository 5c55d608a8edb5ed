package nodepool.itest.fleet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a record says. */
record Document(JsonNode json) {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    static Document parse(String text) {
        try {
            return new Document(MAPPER.readTree(text));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON: " + text, e);
        }
    }

    String state() {
        return text("state").orElse("");
    }

    boolean is(String state) {
        return state().equals(state);
    }

    Optional<String> text(String field) {
        return Optional.ofNullable(json.get(field)).filter(JsonNode::isTextual).map(JsonNode::asText);
    }

    List<String> texts(String field) {
        List<String> texts = new ArrayList<>();
        json.path(field).forEach(one -> texts.add(one.asText()));
        return texts;
    }
}
