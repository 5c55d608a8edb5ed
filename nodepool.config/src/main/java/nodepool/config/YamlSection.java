package nodepool.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.config.Location;
import nodepool.api.config.Section;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonObject;

/** A mapping as {@link SchemaCheck} left it. */
final class YamlSection implements Section {

    private final Location at;
    private final String path;
    private final Map<String, JsonValue> values;
    private final Map<String, Location> places;
    private final Map<String, List<YamlSection>> below;
    private final Set<String> secrets;

    YamlSection(
            Location at,
            String path,
            Map<String, JsonValue> values,
            Map<String, Location> places,
            Map<String, List<YamlSection>> below,
            Set<String> secrets) {
        this.at = at;
        this.path = path;
        this.values = new LinkedHashMap<>(values);
        this.places = Map.copyOf(places);
        this.below = Map.copyOf(below);
        Set<String> all = new HashSet<>(secrets);
        below.values().forEach(list -> list.forEach(section -> all.addAll(section.secrets())));
        this.secrets = Set.copyOf(all);
    }

    @Override
    public Map<String, JsonValue> members() {
        return Collections.unmodifiableMap(values);
    }

    @Override
    public Location at() {
        return at;
    }

    @Override
    public Location at(String key) {
        return places.getOrDefault(key, at);
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public boolean has(String key) {
        return places.containsKey(key);
    }

    @Override
    public Optional<String> text(String key) {
        JsonValue value = values.get(key);
        if (value instanceof JsonValue.JsonNumber number) {
            return Optional.of(number.text());
        }
        if (value instanceof JsonBool bool) {
            return Optional.of(Boolean.toString(bool.value()));
        }
        return value == null ? Optional.empty() : value.asText();
    }

    @Override
    public OptionalInt integer(String key) {
        JsonValue value = values.get(key);
        return value == null
                ? OptionalInt.empty()
                : value.asNumber()
                        .map(number -> OptionalInt.of(number.intValue()))
                        .orElse(OptionalInt.empty());
    }

    @Override
    public Optional<Double> number(String key) {
        JsonValue value = values.get(key);
        return value == null ? Optional.empty() : value.asNumber().map(Number::doubleValue);
    }

    @Override
    public Optional<Boolean> bool(String key) {
        return values.get(key) instanceof JsonBool bool ? Optional.of(bool.value()) : Optional.empty();
    }

    @Override
    public List<String> texts(String key) {
        JsonValue value = values.get(key);
        return value instanceof JsonArray array
                ? array.texts()
                : text(key).map(List::of).orElse(List.of());
    }

    @Override
    public Optional<Section> section(String key) {
        return sections(key).stream().findFirst();
    }

    @Override
    public List<Section> sections(String key) {
        return new ArrayList<>(below.getOrDefault(key, List.of()));
    }

    @Override
    public Map<String, Double> numbers(String key) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        if (values.get(key) instanceof JsonObject object) {
            object.members()
                    .forEach((name, value) ->
                            value.asNumber().ifPresent(number -> numbers.put(name, number.doubleValue())));
        }
        return numbers;
    }

    @Override
    public Optional<JsonValue> json(String key) {
        return Optional.ofNullable(values.get(key));
    }

    @Override
    public Set<String> secrets() {
        return secrets;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof YamlSection that && values.equals(that.values) && below.equals(that.below);
    }

    @Override
    public int hashCode() {
        return Objects.hash(values, below);
    }
}
