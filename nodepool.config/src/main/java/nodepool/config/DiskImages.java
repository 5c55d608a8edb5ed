package nodepool.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Problem.Severity;
import nodepool.api.config.Section;
import nodepool.api.image.ImageLogin;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;

/** Applies inheritance among the entries under {@code diskimages}. */
final class DiskImages {

    private final Map<String, Section> entries = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> secrets = new LinkedHashMap<>();
    private final Set<String> inCircles = new HashSet<>();
    private final Problems problems;

    DiskImages(List<Section> sections, Problems problems) {
        this.problems = problems;
        for (Section section : sections) {
            section.text("name").ifPresent(name -> entries.putIfAbsent(name, section));
        }
    }

    boolean isAbstract(String name) {
        return Optional.ofNullable(entries.get(name))
                .flatMap(section -> section.bool("abstract"))
                .orElse(false);
    }

    /** Secret environment of one entry, from the secure file; handed down to its children. */
    void secret(Section section, String file) {
        String name = section.require("name");
        if (entries.containsKey(name)) {
            secrets.put(name, texts(section, "env-vars"));
        } else {
            problems.error(section.at(), section.path(), file + ": unknown diskimage " + name);
        }
    }

    /** Every image that is built, by name. */
    Map<String, DiskImage> resolve() {
        Map<String, DiskImage> images = new LinkedHashMap<>();
        Set<String> parents = new HashSet<>();
        entries.values().forEach(section -> section.text("parent").ifPresent(parents::add));
        entries.forEach((name, section) -> {
            List<Section> line = line(section);
            if (!isAbstract(name)) {
                images.put(name, image(name, line));
            } else if (!parents.contains(name)) {
                problems.add(Severity.NOTICE, section.at(), section.path(), "no entry has this abstract one as parent");
            }
        });
        return images;
    }

    /** The most remote ancestor first. */
    private List<Section> line(Section section) {
        List<Section> line = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        Optional<Section> next = Optional.of(section);
        while (next.isPresent()) {
            Section one = next.get();
            if (!names.add(one.require("name"))) {
                circle(one.require("name"), List.copyOf(names));
                break;
            }
            line.add(0, one);
            Optional<String> parent = one.text("parent");
            next = parent.flatMap(name -> Optional.ofNullable(entries.get(name)));
            if (parent.isPresent() && next.isEmpty() && one == section) {
                problems.error(
                        section.at("parent"),
                        section.path(),
                        "diskimage %s has non-existant parent: %s".formatted(section.require("name"), parent.get()));
            }
        }
        return line;
    }

    /** Each circle is reported once, at the entry of it that stands first. */
    private void circle(String again, List<String> names) {
        List<String> circle = new ArrayList<>(names.subList(names.indexOf(again), names.size()));
        if (inCircles.addAll(circle)) {
            circle.add(again);
            Section first = Objects.requireNonNull(entries.get(again));
            problems.error(first.at("parent"), first.path(), "parents form a circle: " + String.join(" -> ", circle));
        }
    }

    private DiskImage image(String name, List<Section> line) {
        List<String> elements = new ArrayList<>();
        Map<String, String> environment = new LinkedHashMap<>();
        Map<String, String> metadata = new LinkedHashMap<>();
        for (Section one : line) {
            elements.addAll(one.texts("elements"));
            environment.putAll(texts(one, "env-vars"));
            environment.putAll(secrets.getOrDefault(one.require("name"), Map.of()));
            metadata.putAll(texts(one, "metadata"));
        }
        return new DiskImage(
                name,
                elements,
                environment,
                last(line, "formats").map(one -> one.texts("formats")).orElse(List.of()),
                last(line, "keep-formats").map(one -> one.texts("keep-formats")).orElse(List.of()),
                last(line, "delete-after-upload")
                        .map(one -> one.bool("delete-after-upload", false))
                        .orElse(false),
                last(line, "pause").map(one -> one.bool("pause", false)).orElse(false),
                Duration.ofSeconds(last(line, "rebuild-age")
                        .map(one -> one.integer("rebuild-age", 0))
                        .orElse(86400)),
                Duration.ofSeconds(last(line, "build-timeout")
                        .map(one -> one.integer("build-timeout", 0))
                        .orElse(28800)),
                last(line, "release").flatMap(one -> one.text("release")).orElse(""),
                new ImageLogin(
                        Optional.of(last(line, "username")
                                .flatMap(one -> one.text("username"))
                                .orElse("zuul")),
                        Optional.of(last(line, "python-path")
                                .flatMap(one -> one.text("python-path"))
                                .orElse("auto")),
                        last(line, "shell-type").flatMap(one -> one.text("shell-type"))),
                last(line, "dib-cmd").flatMap(one -> one.text("dib-cmd")).orElse("disk-image-create"),
                metadata);
    }

    private static Optional<Section> last(List<Section> line, String key) {
        return line.stream().filter(one -> one.has(key)).reduce((before, after) -> after);
    }

    private static Map<String, String> texts(Section section, String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (section.json(key).orElse(JsonObject.EMPTY) instanceof JsonObject object) {
            object.members().forEach((name, value) -> texts.put(name, text(value)));
        }
        return texts;
    }

    private static String text(JsonValue value) {
        if (value instanceof JsonNumber number) {
            return number.text();
        }
        return value instanceof JsonBool bool
                ? Boolean.toString(bool.value())
                : value.asText().orElse("");
    }
}
