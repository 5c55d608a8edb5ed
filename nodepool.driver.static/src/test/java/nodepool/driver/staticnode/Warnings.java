package nodepool.driver.staticnode;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** Waits for warnings in the log. */
final class Warnings implements AutoCloseable {

    private final BlockingQueue<ILoggingEvent> seen = new LinkedBlockingQueue<>();
    private final Logger logger;
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent line) {
            if (line.getLevel() == Level.WARN) {
                seen.add(line);
            }
        }
    };

    Warnings(String loggerName) {
        logger = (Logger) LoggerFactory.getLogger(loggerName);
        appender.start();
        logger.addAppender(appender);
    }

    void await(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            assertNotNull(seen.poll(60, TimeUnit.SECONDS), "there should be one more warning");
        }
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
