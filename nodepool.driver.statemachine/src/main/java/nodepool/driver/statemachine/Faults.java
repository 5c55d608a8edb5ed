package nodepool.driver.statemachine;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;

/**
 * The one place where a driver decides what a cloud's answer means: an immutable table of texts, then of HTTP status codes.
 *
 * @param texts what an answer may say, in lower case; the first that is found decides, whatever the status
 * @param statuses what a status means if its text says nothing
 */
public record Faults(List<Text> texts, Map<Integer, Fault> statuses) {

    /** A pattern that is searched for in the answer's text, in lower case. */
    public record Text(Pattern pattern, Fault fault) {

        static Text of(String pattern, Fault fault) {
            return new Text(Pattern.compile(pattern), fault);
        }
    }

    /** What most clouds say. */
    public static final Faults USUAL = new Faults(
            List.of(
                    Text.of("rate.?limit|too many requests|throttl|request ?limit ?exceeded", Fault.RATE_LIMIT),
                    Text.of(
                            "no valid host|insufficient.{0,20}capacity|not enough hosts|out of capacity",
                            Fault.CAPACITY),
                    Text.of("quota|limit ?exceeded|maximum number of|exceeds.{0,40}limit", Fault.QUOTA)),
            Map.of(
                    400, Fault.BAD_REQUEST,
                    401, Fault.UNAUTHORIZED,
                    403, Fault.UNAUTHORIZED,
                    404, Fault.NOT_FOUND,
                    408, Fault.TRANSIENT,
                    409, Fault.TRANSIENT,
                    410, Fault.NOT_FOUND,
                    413, Fault.RATE_LIMIT,
                    422, Fault.BAD_REQUEST,
                    429, Fault.RATE_LIMIT));

    public Faults {
        texts = List.copyOf(texts);
        statuses = Map.copyOf(statuses);
    }

    /** This table, with a text that is looked for before all others. */
    public Faults with(String pattern, Fault fault) {
        List<Text> all = new java.util.ArrayList<>(List.of(Text.of(pattern, fault)));
        all.addAll(texts);
        return new Faults(all, statuses);
    }

    /** What an HTTP answer means. Errors of the server are transient, any other refusal is a bad request. */
    public Fault of(int status, String body) {
        String text = body.toLowerCase(Locale.ROOT);
        for (Text known : texts) {
            if (known.pattern().matcher(text).find()) {
                return known.fault();
            }
        }
        return statuses.getOrDefault(status, status >= 500 ? Fault.TRANSIENT : Fault.BAD_REQUEST);
    }

    /** What the text of a machine in trouble means; {@link Fault#MACHINE_FAILED} if it tells nothing. */
    public Fault ofMachine(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        for (Text known : texts) {
            if (known.pattern().matcher(lower).find()) {
                return known.fault();
            }
        }
        return Fault.MACHINE_FAILED;
    }

    /** A connection that broke: nobody knows whether the call had an effect. */
    public static CloudException broken(String what, IOException cause) {
        return new CloudException(Fault.TRANSIENT, what + ": " + cause, cause);
    }
}
