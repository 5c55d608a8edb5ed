package nodepool.api.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import nodepool.api.json.JsonValue;

/**
 * What may stand in a mapping of the configuration. Drivers describe their part with it; from the same values come the
 * checks with their messages, the defaults, and the JSON Schema for editors.
 *
 * @param keys the keys it knows
 * @param others the type of keys it does not know; absent: unknown keys are reported
 * @param rules conditions on several keys
 */
public record Schema(List<Key> keys, Optional<Type> others, List<Rule> rules) {

    public Schema {
        keys = List.copyOf(keys);
        rules = List.copyOf(rules);
    }

    /** A mapping of exactly these keys. */
    public static Schema of(Key... keys) {
        return new Schema(Arrays.asList(keys), Optional.empty(), List.of());
    }

    /** This schema with more keys; a key of the same name replaces the one here. */
    public Schema with(Key... more) {
        List<Key> all = new ArrayList<>(keys);
        for (Key key : more) {
            all.removeIf(old -> old.name().equals(key.name()));
            all.add(key);
        }
        return new Schema(all, others, rules);
    }

    /** This schema with more conditions. */
    public Schema with(Rule... more) {
        List<Rule> all = new ArrayList<>(rules);
        all.addAll(Arrays.asList(more));
        return new Schema(keys, others, all);
    }

    /**
     * One key of a mapping.
     *
     * @param name as written
     * @param type of its value
     * @param required whether it must be there
     * @param byDefault value if it is not there
     * @param description one line for editors and the manual; with units
     * @param aliases old names, still read, with a warning
     * @param deprecated if the key should not be used any more: what to do instead. Its value is still read
     */
    public record Key(
            String name,
            Type type,
            boolean required,
            Optional<JsonValue> byDefault,
            String description,
            List<String> aliases,
            Optional<String> deprecated) {

        public Key {
            aliases = List.copyOf(aliases);
        }

        /** A key that may be left out. */
        public static Key optional(String name, Type type, String description) {
            return new Key(name, type, false, Optional.empty(), description, List.of(), Optional.empty());
        }

        /** A key that must be there. */
        public static Key required(String name, Type type, String description) {
            return new Key(name, type, true, Optional.empty(), description, List.of(), Optional.empty());
        }

        /** With a value for when it is left out. */
        public Key byDefault(JsonValue value) {
            return new Key(name, type, required, Optional.of(value), description, aliases, deprecated);
        }

        /** With a whole number for when it is left out. */
        public Key byDefault(long value) {
            return byDefault(JsonValue.of(value));
        }

        /** With a text for when it is left out. */
        public Key byDefault(String value) {
            return byDefault(JsonValue.of(value));
        }

        /** With a yes or no for when it is left out. */
        public Key byDefault(boolean value) {
            return byDefault(new JsonValue.JsonBool(value));
        }

        /** Also known under an old name. */
        public Key alias(String old) {
            List<String> more = new ArrayList<>(aliases);
            more.add(old);
            return new Key(name, type, required, byDefault, description, more, deprecated);
        }

        /** Still read, but should not be used any more. */
        public Key deprecated(String instead) {
            return new Key(name, type, required, byDefault, description, aliases, Optional.of(instead));
        }
    }

    /** What a value may be. */
    public sealed interface Type {

        /** Text of any kind. */
        Type TEXT = new Text();
        /** Text that nobody is shown: a password, a token. */
        Type SECRET = new Secret();
        /** Text of any kind, or a whole number. */
        Type TEXT_OR_INT = new TextOrInt();
        /** A whole number of any size that fits 32 bits. */
        Type INT = new Int(Integer.MIN_VALUE, Integer.MAX_VALUE);
        /** A whole number from 0. */
        Type COUNT = new Int(0, Integer.MAX_VALUE);
        /** A number, whole or not, from 0; text that looks like one is read as one. */
        Type NUMBER = new Numeric(0);
        /** Yes or no. */
        Type BOOL = new Bool();
        /** Anything. */
        Type ANY = new Any();
        /** A list of texts. */
        Type TEXTS = new ListOf(TEXT, false, Optional.empty());
        /** A list of texts, or a single one. */
        Type TEXT_OR_TEXTS = new ListOf(TEXT, true, Optional.empty());

        /** Text. What YAML reads as a number, a date or yes and no is reported: it needs quotes. */
        record Text() implements Type {}

        /** Text, as {@link Text}, that is in no message, whatever is wrong with it. */
        record Secret() implements Type {}

        /** Text or a whole number, which is turned into text. */
        record TextOrInt() implements Type {}

        /** A whole number within bounds, both included. */
        record Int(int min, int max) implements Type {}

        /** A number, whole or not, at least {@code min}. */
        record Numeric(double min) implements Type {}

        /** Yes or no. */
        record Bool() implements Type {}

        /** Any value. */
        record Any() implements Type {}

        /** One of some words. */
        record Word(List<String> words) implements Type {
            public Word {
                words = List.copyOf(words);
            }
        }

        /**
         * A list.
         *
         * @param item type of each item
         * @param orSingle whether one item may stand without the list
         * @param uniqueBy key of the items whose values must differ
         */
        record ListOf(Type item, boolean orSingle, Optional<String> uniqueBy) implements Type {}

        /** A mapping of that shape. */
        record Mapping(Schema schema) implements Type {}

        /** A mapping of any names to values of one type. */
        record MapOf(Type value) implements Type {}

        /** A list of mappings whose {@code uniqueBy} values differ. */
        static Type listOf(Schema schema, String uniqueBy) {
            return new ListOf(new Mapping(schema), false, Optional.of(uniqueBy));
        }

        /** A mapping of that shape. */
        static Type mapping(Schema schema) {
            return new Mapping(schema);
        }

        /** A mapping of any names to values of one type. */
        static Type mapOf(Type value) {
            return new MapOf(value);
        }

        /** One of some words. */
        static Type oneOf(String... words) {
            return new Word(List.of(words));
        }
    }

    /** A condition on several keys of one mapping. */
    public sealed interface Rule {

        /** At most one of the keys. */
        record AtMostOne(List<String> keys) implements Rule {
            public AtMostOne {
                keys = List.copyOf(keys);
            }
        }

        /** At least one of the keys. */
        record AtLeastOne(List<String> keys) implements Rule {
            public AtLeastOne {
                keys = List.copyOf(keys);
            }
        }

        /** Not more than one of the keys. */
        static Rule atMostOne(String... keys) {
            return new AtMostOne(List.of(keys));
        }

        /** One of the keys, or more. */
        static Rule atLeastOne(String... keys) {
            return new AtLeastOne(List.of(keys));
        }
    }

    /** The keys every provider has. A driver's schema starts with them. */
    public static Schema commonProvider() {
        return of(
                Key.required("name", Type.TEXT, "Unique name; used in ZooKeeper paths and metrics"),
                Key.optional("driver", Type.TEXT, "Which driver serves it").byDefault("openstack"),
                Key.optional(
                                "max-concurrency",
                                Type.INT,
                                "Launches under way at the same time; 0 or negative: no limit")
                        .byDefault(-1),
                Key.optional("priority", Type.INT, "Lower is preferred; default for the pools")
                        .byDefault(100));
    }

    /** The keys every pool has. A driver's pool schema starts with them. */
    public static Schema commonPool() {
        return of(
                Key.required("name", Type.TEXT, "Unique within the provider"),
                Key.optional("max-servers", Type.INT, "Nodes at the same time; 0 or negative disables the pool"),
                Key.optional("priority", Type.INT, "Lower is preferred; the provider's if left out"),
                Key.optional("node-attributes", Type.mapOf(Type.ANY), "Stored with each node"));
    }
}
