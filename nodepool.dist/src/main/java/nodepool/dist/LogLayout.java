package nodepool.dist;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Iterator;
import java.util.Map;

/**
 * The original's log lines: date, level, logger, then the ids of what the message is about. Every further line of a
 * message or stack trace carries the same prefix, so that each physical line can be searched by time and logger.
 */
public final class LogLayout extends LayoutBase<ILoggingEvent> {

    private final DateTimeFormatter time =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneId.systemDefault());
    private final ThrowableProxyConverter traces = new ThrowableProxyConverter();

    @Override
    public void start() {
        traces.setContext(getContext());
        traces.start();
        super.start();
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        String prefix = "%s %s %s: "
                .formatted(
                        time.format(Instant.ofEpochMilli(event.getTimeStamp())),
                        level(event.getLevel()),
                        event.getLoggerName());
        String trace = event.getThrowableProxy() == null ? "" : "\n" + traces.convert(event);
        StringBuilder text = new StringBuilder(prefix).append(ids(event.getMDCPropertyMap()));
        Iterator<String> lines = (event.getFormattedMessage() + trace).lines().iterator();
        if (lines.hasNext()) {
            text.append(lines.next());
        }
        text.append('\n');
        lines.forEachRemaining(
                line -> text.append(prefix).append("  ").append(line).append('\n'));
        return text.toString();
    }

    private static String level(Level level) {
        return level == Level.WARN ? "WARNING" : level.toString();
    }

    private static String ids(Map<String, String> mdc) {
        return id(mdc, "e", "event_id") + id(mdc, "node_request", "node_request") + id(mdc, "node", "node");
    }

    private static String id(Map<String, String> mdc, String label, String key) {
        String value = mdc.get(key);
        return value == null ? "" : "[" + label + ": " + value + "] ";
    }
}
