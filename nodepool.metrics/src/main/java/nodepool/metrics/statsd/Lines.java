package nodepool.metrics.statsd;

import java.math.BigDecimal;
import java.time.Duration;

/** One value as statsd reads it. Names must not hold line feeds, bars or colons; what does is made harmless. */
public final class Lines {

    private Lines() {}

    /** So many more. */
    public static String counter(String name, long count) {
        return safe(name) + ":" + count + "|c";
    }

    /** A length of time, in milliseconds. */
    public static String timer(String name, Duration length) {
        return safe(name) + ":" + Math.max(0, length.toMillis()) + ".000000|ms";
    }

    /**
     * A value to stand at. A sign would mean a change, so a negative value is sent as 0 and then a change.
     *
     * @param value finite
     */
    public static String gauge(String name, double value) {
        String line = safe(name) + ":" + number(value) + "|g";
        return value < 0 ? safe(name) + ":0|g\n" + line : line;
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : new BigDecimal(Double.toString(value)).toPlainString();
    }

    private static String safe(String name) {
        for (int at = 0; at < name.length(); at++) {
            char letter = name.charAt(at);
            if (letter == ':' || letter == '|' || letter < ' ') {
                return name.replaceAll("[:|\\p{Cntrl}]", "_");
            }
        }
        return name;
    }
}
