package nodepool.itest.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import nodepool.testkit.RealPart;
import nodepool.testkit.Running;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A driver is replaced, removed and put back while a launcher works at full load. */
class HotSwapIT {

    private static final int REQUESTS = 10;
    private static final int NODES_EACH = 20;
    private static final int SWAPS = 10;
    private static final String DRIVER = "nodepool.driver.fake.FakeDriver";

    @TempDir
    Path folder;

    @BeforeEach
    void need() throws Exception {
        RealPart.ZOOKEEPER.require();
        RealPart.KAZOO.require();
    }

    @Test
    @Timeout(600)
    void ten_new_versions_and_an_absence_with_200_machines_half_built_lose_and_double_nothing() throws Exception {
        try (SwappedDriver system = SwappedDriver.start(folder)) {
            long pid = system.launcher().pid();
            system.drop("1.0.0");
            system.admit(4);
            system.launcher().await("Fulfilled node request ");
            system.drop("1.0.1");
            Footprint before = Footprint.of(pid, SwappedDriver.PROVIDERS);

            Running wholesaler = system.admitWholesaler(REQUESTS, NODES_EACH);
            system.awaitHalfBuilt(REQUESTS * NODES_EACH);
            for (int swap = 0; swap < SWAPS; swap++) {
                system.drop("1.1." + swap);
            }
            system.takeAway();
            assertEquals(REQUESTS * NODES_EACH, system.halfBuilt(), "machines half-built after all swaps");
            Running latecomer = system.admitWholesaler(1, 1);
            system.awaitDriverAbsent(List.of(latecomer.await(" asked ").split(" ")[2]));
            assertEquals(REQUESTS * NODES_EACH, system.halfBuilt(), "machines kept without a driver");
            system.drop("1.2.0");
            system.awaitHalfBuilt(REQUESTS * NODES_EACH + 1);
            system.bootAll();
            latecomer.await(" took ");
            for (String asked : wholesaler
                    .all()
                    .lines()
                    .filter(line -> line.contains(" asked "))
                    .toList()) {
                wholesaler.await(" took " + asked.split(" ")[2]);
            }
            List<Told> told = system.dismissCustomers();
            Footprint after = Footprint.of(pid, SwappedDriver.PROVIDERS);
            // Every generation numbers its threads from 1.
            List<String> threads = Footprint.threads(pid)
                    .filter(name -> SwappedDriver.PROVIDERS.stream().anyMatch(name::startsWith))
                    .toList();
            assertEquals(threads.size(), Set.copyOf(threads).size(), () -> "threads of two generations: " + threads);
            assertEquals(1, Footprint.loaded(pid, DRIVER), "versions in memory");
            String log = system.launcher().all();
            History history = system.end(told);

            System.out.printf(
                    "%d swaps, %d machines half-built, %d requests fulfilled, %d machines made; before: %s; after: %s%n",
                    SWAPS,
                    REQUESTS * NODES_EACH,
                    new ServiceCheck(history).fulfilled(),
                    history.machines().size(),
                    before,
                    after);
            assertEquals("", String.join("\n", faults(history)), log);
            assertEquals(0, system.launcher().count("Launch attempt"), log);
            assertFalse(log.contains(" ERROR "), log);
            assertEquals(before.bundleLoaders(), after.bundleLoaders(), "class loaders");
            assertTrue(after.classes() <= before.classes() + 300, () -> before + " " + after);
            assertTrue(after.heap() <= before.heap() + 4096, () -> before + " " + after);
            assertTrue(after.threads() <= before.threads() + 2, () -> before + " " + after);
            assertTrue(after.sockets() <= before.sockets(), () -> before + " " + after);
        }
    }

    private static List<String> faults(History history) {
        List<String> faults = new ArrayList<>(HandOverCheck.faults(history));
        faults.addAll(new ServiceCheck(history).faults());
        faults.addAll(OwnershipCheck.faults(history));
        history.requests().values().stream()
                .filter(request -> request.versions().stream()
                        .anyMatch(version -> version.document().is("failed")))
                .forEach(request -> faults.add(request.id() + " failed"));
        long slow = history.machines().stream()
                .filter(machine -> machine.provider().equals(SwappedDriver.PROVIDERS.get(0)))
                .count();
        if (slow != REQUESTS * NODES_EACH + 1) {
            faults.add(slow + " machines were made for " + (REQUESTS * NODES_EACH + 1) + " nodes");
        }
        return faults;
    }
}
