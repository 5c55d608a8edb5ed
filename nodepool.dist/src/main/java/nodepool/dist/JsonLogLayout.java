package nodepool.dist;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.util.Locale;

/**
 * One JSON object a line: {@code timestamp} (UTC), {@code level}, {@code logger}, {@code thread}, {@code message}, the ids of
 * what the message is about ({@code event_id}, {@code node_request}, {@code node}, {@code provider}, {@code pool}), and
 * {@code exception} with its stack.
 */
public final class JsonLogLayout extends LayoutBase<ILoggingEvent> {

    private final ThrowableProxyConverter traces = new ThrowableProxyConverter();

    @Override
    public void start() {
        traces.setContext(getContext());
        traces.start();
        super.start();
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder json = new StringBuilder("{");
        field(json, "timestamp", Instant.ofEpochMilli(event.getTimeStamp()).toString());
        field(
                json,
                "level",
                event.getLevel() == Level.WARN ? "WARNING" : event.getLevel().toString());
        field(json, "logger", event.getLoggerName());
        field(json, "thread", event.getThreadName());
        field(json, "message", event.getFormattedMessage());
        event.getMDCPropertyMap().forEach((name, value) -> field(json, name, value));
        if (event.getThrowableProxy() != null) {
            field(json, "exception", traces.convert(event).stripTrailing());
        }
        return json.append("}\n").toString();
    }

    private static void field(StringBuilder json, String name, String value) {
        if (json.length() > 1) {
            json.append(',');
        }
        text(json, name);
        json.append(':');
        text(json, value);
    }

    private static void text(StringBuilder json, String text) {
        json.append('"');
        for (int at = 0; at < text.length(); at++) {
            char letter = text.charAt(at);
            switch (letter) {
                case '"' -> json.append("\\\"");
                case '\\' -> json.append("\\\\");
                case '\n' -> json.append("\\n");
                case '\t' -> json.append("\\t");
                default -> {
                    if (letter < ' ' || Character.isSurrogate(letter)) {
                        json.append(String.format(Locale.ROOT, "\\u%04x", (int) letter));
                    } else {
                        json.append(letter);
                    }
                }
            }
        }
        json.append('"');
    }
}
