package nodepool.driver.openstack.http;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version with two numbers, such as the microversion {@code 2.93}. */
public record Version(int major, int minor) implements Comparable<Version> {

    private static final Pattern FORM = Pattern.compile("v?(\\d{1,6})(?:\\.(\\d{1,6}))?");
    private static final Comparator<Version> ORDER =
            Comparator.comparingInt(Version::major).thenComparingInt(Version::minor);

    public static Optional<Version> of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String minor = matcher.group(2);
        return Optional.of(
                new Version(Integer.parseInt(matcher.group(1)), minor == null ? 0 : Integer.parseInt(minor)));
    }

    @Override
    public int compareTo(Version other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
