package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.driver.CloudException.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** A cloud that quotes the credential it was given in everything it says: nobody else gets to read it. */
class CredentialsTest {

    private static final String CANARY = "canary-31337-of-the-cloud";

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    private final Logger logger = (Logger) LoggerFactory.getLogger("nodepool");
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> log = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            String trace =
                    event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy());
            logged.add(event.getFormattedMessage() + trace);
        }
    };

    @BeforeEach
    void listen() {
        scene.cloud().quote(CANARY);
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.DEBUG);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @Test
    void why_a_provider_does_not_start_is_told_without_its_credential() {
        scene.cloud().goDown();

        LauncherProcess launcher = scene.begin(withToken(Yaml.east()));
        launcher.awaitTrouble();

        assertTrue(launcher.events().toString().contains("the cloud is down (secret)"), launcher.events()::toString);
        assertNothingSaid(launcher);
    }

    @Test
    void why_a_launch_failed_is_told_without_the_credential() {
        scene.cloud().failCreations(Fault.TRANSIENT, 1);
        scene.cloud().failCreationsByBug(1);
        LauncherProcess launcher = scene.launcher(withToken(Yaml.east()));

        String request = scene.zuul().request("small");
        scene.zuul().awaitNode(request);
        String accounts = scene.awaitAccounts(
                        request, "two failures", told -> told.toString().contains("(secret)"))
                .toString();

        assertEquals(-1, accounts.indexOf(CANARY), accounts);
        assertNothingSaid(launcher);
    }

    private static String withToken(String yaml) {
        return Yaml.inProviders("token: " + CANARY, yaml);
    }

    private void assertNothingSaid(LauncherProcess launcher) {
        assertTrue(logged.size() > 3, "the log is heard");
        logged.forEach(line -> assertEquals(-1, line.indexOf(CANARY), line));
        String events = launcher.events().toString();
        assertEquals(-1, events.indexOf(CANARY), events);
    }
}
