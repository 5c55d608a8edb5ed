package nodepool.driver.statemachine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.config.Location;
import nodepool.api.config.Section;
import nodepool.api.json.JsonValue;

/** A section of texts and lists of sections, given in the test. */
public record TextSection(Map<String, String> values, Map<String, List<Section>> lists) implements Section {

    public static TextSection of(String... keysAndValues) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            values.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return new TextSection(values, Map.of());
    }

    public TextSection with(String key, Section... entries) {
        Map<String, List<Section>> more = new LinkedHashMap<>(lists);
        more.put(key, List.of(entries));
        return new TextSection(values, more);
    }

    @Override
    public Map<String, JsonValue> members() {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        values.forEach((key, value) -> members.put(key, JsonValue.of(value)));
        return members;
    }

    @Override
    public Location at() {
        throw new UnsupportedOperationException("given in the test");
    }

    @Override
    public Location at(String key) {
        return at();
    }

    @Override
    public String path() {
        return "test";
    }

    @Override
    public boolean has(String key) {
        return values.containsKey(key);
    }

    @Override
    public Optional<String> text(String key) {
        return Optional.ofNullable(values.get(key));
    }

    @Override
    public OptionalInt integer(String key) {
        return text(key).map(value -> OptionalInt.of(Integer.parseInt(value))).orElse(OptionalInt.empty());
    }

    @Override
    public Optional<Double> number(String key) {
        return text(key).map(Double::valueOf);
    }

    @Override
    public Optional<Boolean> bool(String key) {
        return text(key).map(Boolean::valueOf);
    }

    @Override
    public List<String> texts(String key) {
        return text(key).map(value -> List.of(value.split(","))).orElse(List.of());
    }

    @Override
    public Optional<Section> section(String key) {
        return Optional.empty();
    }

    @Override
    public List<Section> sections(String key) {
        return lists.getOrDefault(key, List.of());
    }

    @Override
    public Map<String, Double> numbers(String key) {
        return Map.of();
    }

    @Override
    public Optional<JsonValue> json(String key) {
        return Optional.empty();
    }
}
