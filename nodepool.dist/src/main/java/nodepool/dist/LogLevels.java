package nodepool.dist;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** Shows and changes the levels of loggers while the process runs. A change lasts until the log's configuration is read anew. */
final class LogLevels {

    private static final String ORIGINALS_WARNING = "WARNING";

    private final LoggerContext context;

    /** Those of this process. */
    LogLevels() {
        this((LoggerContext) LoggerFactory.getILoggerFactory());
    }

    LogLevels(LoggerContext context) {
        this.context = context;
    }

    /**
     * Text in, text out, so that bundles, which do not see the logging back end, can use it.
     *
     * @param wish nothing: all loggers that have a level; {@code LOGGER}: this one's; {@code LOGGER=LEVEL}: from now on;
     *     {@code LOGGER=}: as its parent from now on
     * @return what there is now, one {@code LOGGER=LEVEL} a line
     * @throws IllegalArgumentException if there is no such level
     */
    String handle(String wish) {
        int equals = wish.indexOf('=');
        if (wish.isEmpty()) {
            return context.getLoggerList().stream()
                    .filter(logger -> logger.getLevel() != null)
                    .map(LogLevels::shown)
                    .collect(Collectors.joining("\n"));
        }
        Logger logger = context.getLogger(equals < 0 ? wish : wish.substring(0, equals));
        if (equals >= 0) {
            set(logger, wish.substring(equals + 1));
        }
        return shown(logger);
    }

    private static void set(Logger logger, String word) {
        if (word.isEmpty() && !logger.getName().equals(org.slf4j.Logger.ROOT_LOGGER_NAME)) {
            logger.setLevel(null);
            return;
        }
        logger.setLevel(level(word).orElseThrow(() -> new IllegalArgumentException("no such level: " + word)));
    }

    /** The original's words are understood as well. */
    private static Optional<Level> level(String word) {
        String upper = word.toUpperCase(Locale.ROOT);
        return Optional.ofNullable(
                switch (upper) {
                    case ORIGINALS_WARNING -> Level.WARN;
                    case "CRITICAL", "FATAL" -> Level.ERROR;
                    case "NOTSET" -> Level.TRACE;
                    default -> Level.toLevel(upper, null);
                });
    }

    private static String shown(Logger logger) {
        Level level = logger.getEffectiveLevel();
        return logger.getName() + "=" + (level == Level.WARN ? ORIGINALS_WARNING : level);
    }
}
