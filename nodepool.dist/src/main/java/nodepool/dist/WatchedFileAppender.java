package nodepool.dist;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** A log file that is opened again when an outside tool has moved it away or put another in its place. */
public final class WatchedFileAppender extends FileAppender<ILoggingEvent> {

    private static final long LOOK_EVERY_MILLIS = 1000;

    private volatile long lookAgain;
    private Optional<Object> opened = Optional.empty();

    @Override
    public void start() {
        super.start();
        opened = identity();
    }

    @Override
    protected void subAppend(ILoggingEvent event) {
        if (event.getTimeStamp() >= lookAgain) {
            reopenIfMoved(event.getTimeStamp());
        }
        super.subAppend(event);
    }

    private synchronized void reopenIfMoved(long now) {
        lookAgain = now + LOOK_EVERY_MILLIS;
        if (!identity().equals(opened)) {
            stop();
            start();
        }
    }

    /** Device and inode of what is at our path now. */
    private Optional<Object> identity() {
        try {
            return Optional.ofNullable(Files.readAttributes(Path.of(getFile()), BasicFileAttributes.class)
                    .fileKey());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
