package nodepool.zk;

import static nodepool.zk.Scene.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import nodepool.api.registry.Registration;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may take part beside components of another model of the data. */
class AdmissionTest {

    private static final Registration OURS =
            new Registration("here", Registration.Kind.LAUNCHER, 0, "running", Optional.empty(), Optional.empty());

    @TempDir
    Path folder;

    private EmbeddedZooKeeper server;
    private Scene scene;

    @BeforeEach
    void start() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        scene = new Scene(server.connectString());
        scene.open().close();
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
        server.close();
    }

    private void running(String kind, int modelApi) throws Exception {
        scene.put("/nodepool/components/" + kind + "/there0000000001", """
                {"hostname": "there", "kind": "%s", "model_api": %d, "state": "running", "version": "99"}""".formatted(kind, modelApi));
    }

    @Test
    void beside_nobody_and_beside_its_like_it_is_admitted() throws Exception {
        ZkStores alone = scene.join(server.connectString(), false);
        await(alone.components().register(OURS));
        running("builder", 0);
        running("launcher", 3);
        ZkStores second = scene.join(server.connectString(), false);
        await(second.snapshots().next());
        await(second.components().register(OURS));
        assertEquals(3, scene.children("/nodepool/components/launcher").size());
    }

    @Test
    void beside_newer_ones_only_it_sees_nothing_and_registers_nothing() throws Exception {
        running("builder", 2);
        running("launcher", 1);
        Admission admission = Admission.asked();
        ZkStores refused = scene.join(server.connectString(), false, admission);
        String why = assertThrows(CompletionException.class, () -> await(admission.granted()))
                .getCause()
                .getMessage();
        assertTrue(why.contains("speaks model 1 of the data"), why);
        assertEquals(Optional.empty(), refused.snapshots().current());
        assertEquals(why, refused.snapshots().status().detail());
        assertThrows(CompletionException.class, () -> await(refused.components().register(OURS)));
        assertEquals(List.of("there0000000001"), scene.children("/nodepool/components/launcher"));
    }

    @Test
    void a_tool_may_look() throws Exception {
        running("builder", 1);
        assertEquals(1, await(scene.open().snapshots().next()).components().size());
    }
}
