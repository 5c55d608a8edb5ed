package nodepool.cli.verb;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import nodepool.cli.options.Mistake;

/** Spans of time as they are shown and typed. */
final class Age {

    private static final Pattern TYPED = Pattern.compile("(\\d{1,9})([smhd]?)");

    private Age() {}

    /** Days, hours, minutes, seconds. A clock that is ahead of ours makes no negative age. */
    static String between(Instant start, Instant now) {
        Duration age = Duration.between(start, now);
        Duration shown = age.isNegative() ? Duration.ZERO : age;
        return "%02d:%02d:%02d:%02d"
                .formatted(shown.toDays(), shown.toHoursPart(), shown.toMinutesPart(), shown.toSecondsPart());
    }

    /** The two largest units, to be read in a sentence. */
    static String inWords(Instant start, Instant now) {
        Duration age = Duration.between(start, now);
        if (age.toDays() > 0) {
            return age.toDays() + " d " + age.toHoursPart() + " h";
        }
        if (age.toHours() > 0) {
            return age.toHours() + " h " + age.toMinutesPart() + " min";
        }
        if (age.toMinutes() > 0) {
            return age.toMinutes() + " min " + age.toSecondsPart() + " s";
        }
        return Math.max(0, age.toSeconds()) + " s";
    }

    /** Reads {@code 90}, {@code 90s}, {@code 15m}, {@code 12h} or {@code 2d}. */
    static Duration typed(String option, String text) throws Mistake {
        Matcher matcher = TYPED.matcher(text);
        if (!matcher.matches()) {
            throw new Mistake("argument " + option + ": seconds, or a number with s, m, h or d, not '" + text + "'");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> Duration.ofSeconds(number);
        };
    }
}
