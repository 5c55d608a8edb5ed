package nodepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That {@code plan} only looks. */
class PlanEffectTest {

    @TempDir
    private Path folder;

    @Test
    void planning_the_end_of_everything_changes_no_record() throws Exception {
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(Files.createDirectory(folder.resolve("zk")), 0);
                World world = new World(server, "/planned", Files.createDirectory(folder.resolve("etc")))) {
            world.populate();
            long before = changes(world);
            for (String wanted : List.of("capacity.yaml", "changed.yaml", "gone.yaml")) {
                assertEquals(
                        0,
                        world.nodepool("", List.of("plan", world.file(wanted).toString()))
                                .code());
            }
            assertEquals(before, changes(world));

            world.nodepool("", List.of("hold", "0"));
            assertNotEquals(before, changes(world));
        }
    }

    /** Rises with every change of any record. */
    private static long changes(World world) {
        return World.await(world.stores().snapshots().caughtUp()).number();
    }
}
