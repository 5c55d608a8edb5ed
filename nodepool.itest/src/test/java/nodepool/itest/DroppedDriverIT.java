package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import nodepool.testkit.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver made from the template comes to a running system, is replaced, goes, and comes back. */
class DroppedDriverIT {

    @TempDir
    private Path folder;

    @Test
    void a_driver_is_dropped_in_taken_away_and_put_back() throws Exception {
        try (TextCloud cloud = new TextCloud();
                AcmeSystem system = AcmeSystem.start(folder, cloud, 2)) {
            assertEquals(0, cloud.everMade());
            system.drop("1.0.0");
            system.process().await("Fulfilled node request 900-0000000001");
            assertEquals(2, cloud.running());

            system.takeAway();
            assertEquals(2, cloud.running(), "what the driver has made stays");

            system.drop("1.0.1");
            Ended got = system.nodepool("request", "small", "small", "small", "--wait");
            assertTrue(got.output().contains(" fulfilled"), got.output());
            assertEquals(system.nodes(), cloud.running(), "machines and nodes");

            Ended ended = system.process().stop();
            assertFalse(ended.output().contains("secret-of-the-cloud"), "the credential is in the log");
        }
    }
}
