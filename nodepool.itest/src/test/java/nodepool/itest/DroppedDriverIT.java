package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import nodepool.testkit.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A driver made from the template comes to a running system, is replaced, goes, and comes back. */
class DroppedDriverIT {

    private static final int REQUESTS = 10;
    private static final int NODES_EACH = 20;

    @TempDir
    private Path folder;

    @Test
    void a_driver_is_dropped_in_taken_away_and_put_back() throws Exception {
        try (TextCloud cloud = new TextCloud(Duration.ZERO);
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

    @Test
    @Timeout(600)
    void ten_new_versions_while_two_hundred_machines_are_half_made_lose_and_double_nothing() throws Exception {
        try (TextCloud cloud = new TextCloud(Duration.ofSeconds(20));
                AcmeSystem system = AcmeSystem.start(folder, cloud, 0)) {
            system.drop("1.0.0");
            List<String> requests = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                requests.add(request(system));
            }
            for (int version = 1; version <= 10; version++) {
                system.drop("1.0." + version);
            }
            system.takeAway();
            assertTrue(system.nodes() > 0, "what was begun is still there");
            system.drop("1.1.0");
            for (String request : requests) {
                system.process().await("Fulfilled node request " + request);
            }
            int wanted = REQUESTS * NODES_EACH;
            assertEquals(wanted, system.nodes());
            assertEquals(wanted, cloud.running());
            assertEquals(wanted, cloud.everMade(), "machines ever made");
            assertEquals(0, system.process().count("Launch attempt"), "failed attempts");
            assertTrue(driverThreads(system) <= 2, "threads of replaced versions are left");
        }
    }

    private static String request(AcmeSystem system) throws Exception {
        List<String> words = new ArrayList<>(List.of("request"));
        words.addAll(Collections.nCopies(NODES_EACH, "small"));
        return system.nodepool(words.toArray(String[]::new)).orFail().replaceAll("(?s).*Request (\\S+) .*", "$1");
    }

    /** Threads of the driver's HTTP client, which has two. */
    private static long driverThreads(AcmeSystem system) throws Exception {
        String pid = Long.toString(system.process().pid());
        return Ended.of(Map.of(), "jcmd", pid, "Thread.print")
                .orFail()
                .lines()
                .filter(line -> line.startsWith("\"acme-http\""))
                .count();
    }
}
