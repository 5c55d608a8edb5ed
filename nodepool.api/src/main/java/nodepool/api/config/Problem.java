package nodepool.api.config;

/**
 * Something wrong with a configuration.
 *
 * @param at where
 * @param severity how bad
 * @param path of the value, with names where entries have one: {@code providers[east].pools[main].max-servers}
 * @param message what is wrong and what to do about it. Never holds values of the secure file
 */
public record Problem(Location at, Severity severity, String path, String message) {

    /** How bad a problem is. */
    public enum Severity {
        /** The configuration cannot be used. */
        ERROR,
        /** Unknown to this version: an error for {@code config-validate}, a warning for daemons. */
        UNKNOWN_KEY,
        /** Works, but probably not as meant. */
        WARNING,
        /** Worth knowing, shown on demand. */
        NOTICE
    }
}
