package nodepool.itest.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import nodepool.testkit.RealPart;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two and three launchers on one ZooKeeper, one of which is killed and restarted, again and again, under load. */
class SeveralLaunchersIT {

    private static final int KILLS = 6;

    /** The promise is the session's time-out and 2 s; the rest is for machines on which every thread must wait. */
    private static final Duration RECOVERY_BOUND = Duration.ofSeconds(Fleet.SESSION_TIMEOUT + 15);

    @TempDir
    Path folder;

    @BeforeEach
    void need() throws Exception {
        RealPart.ZOOKEEPER.require();
        RealPart.KAZOO.require();
    }

    @Test
    void two_on_one_provider_keep_every_promise_while_either_is_killed() throws Exception {
        // More customers than there is room for: the launchers race for every place and every node that becomes free.
        List<String> tenants = List.of("acme", "umbrella", "hooli");
        check(List.of(List.of("EAST"), List.of("EAST")), tenants, "small", "small,small", "one");
    }

    @Test
    void three_on_two_providers_keep_every_promise_while_any_is_killed() throws Exception {
        check(
                List.of(List.of("EAST"), List.of("EAST", "WEST"), List.of("WEST")),
                List.of("acme", "umbrella"),
                "small",
                "small,small",
                "one",
                "two",
                "two,two");
    }

    private void check(List<List<String>> served, List<String> tenants, String... labels) throws Exception {
        long seed = Long.getLong("nodepool.seed", System.nanoTime() % 1000);
        try (Fleet fleet = Fleet.start(folder, seed, served)) {
            for (String tenant : tenants) {
                fleet.admit(tenant, labels);
            }
            for (int i = 0; i < KILLS; i++) {
                fleet.killAndRestart(i % served.size());
            }
            History history = fleet.end();

            ServiceCheck service = new ServiceCheck(history);
            RecoveryCheck recovery = new RecoveryCheck(history);
            System.out.printf(
                    "seed %d: %d launchers, %d kills, %d requests fulfilled, the slowest in %d ms; %d in hand when killed, %d"
                            + " machines gone on with, all moved on within %d ms; %d machines made%n",
                    seed,
                    served.size(),
                    KILLS,
                    service.fulfilled(),
                    service.longest().toMillis(),
                    recovery.inHand(),
                    recovery.resumed(),
                    recovery.longest().toMillis(),
                    history.machines().size());
            List<String> faults = new ArrayList<>();
            faults.addAll(HandOverCheck.faults(history));
            faults.addAll(service.faults());
            faults.addAll(StockCheck.faults(history));
            faults.addAll(RoomCheck.faults(history));
            faults.addAll(OwnershipCheck.faults(history));
            faults.addAll(recovery.faults());
            assertEquals("", String.join("\n", faults), () -> "seed " + seed + "\n" + fleet.logs());
            assertTrue(recovery.longest().compareTo(RECOVERY_BOUND) < 0, () -> recovery.longest() + fleet.logs());
            assertTrue(recovery.inHand() > 0, "nothing was in hand when it was killed");
        }
    }
}
