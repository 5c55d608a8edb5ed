package nodepool.zk;

import static nodepool.zk.Scene.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import nodepool.api.registry.ComponentRegistry;
import nodepool.api.registry.Registration;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pools where launchers before 2022 look for them. */
class OldRegistrationsTest {

    private static final String OLD = "/nodepool/launchers";

    @TempDir
    Path folder;

    private EmbeddedZooKeeper server;
    private Scene scene;

    @BeforeEach
    void start() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        scene = new Scene(server.connectString());
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
        server.close();
    }

    private static Registration pool(String id, String... labels) {
        return new Registration(
                "here",
                Registration.Kind.POOL,
                0,
                "running",
                Optional.empty(),
                Optional.of(new Registration.Pool(id, Optional.of("main"), "cloud", List.of(labels), 100, false)));
    }

    @Test
    void each_pool_has_an_entry_with_the_labels_of_all() throws Exception {
        ZkStores ours = scene.join(server.connectString(), true);
        ComponentRegistry.Own one = await(ours.components().register(pool("one", "b", "a")));
        ComponentRegistry.Own two = await(ours.components().register(pool("two", "c")));
        String expected =
                "{\"id\": \"one\", \"provider_name\": \"cloud\", \"supported_labels\": [\"a\", \"b\", \"c\"]}";
        scene.awaitText(OLD + "/one", expected);
        scene.awaitText(OLD + "/two", expected.replace("one", "two"));
        assertNotEquals(0, scene.ephemeralOwner(OLD + "/two"));

        two.publish(pool("two", "d"));
        scene.awaitText(OLD + "/one", expected.replace("\"c\"", "\"d\""));

        await(one.close());
        scene.awaitText(OLD + "/two", expected.replace("one", "two").replace("\"a\", \"b\", \"c\"", "\"d\""));
        assertEquals(Set.of("two"), Set.copyOf(scene.children(OLD)));
    }

    @Test
    void a_new_session_has_them_too() throws Exception {
        ZkStores ours = scene.join(server.connectString(), true);
        await(ours.components().register(pool("one", "a")));
        String entry = OLD + "/one";
        String text = "{\"id\": \"one\", \"provider_name\": \"cloud\", \"supported_labels\": [\"a\"]}";
        scene.awaitText(entry, text);
        long before = scene.ephemeralOwner(entry);
        server.expire(before);
        scene.awaitOtherOwner(entry, before);
        scene.awaitText(entry, text);
    }

    @Test
    void nothing_is_written_where_nobody_asked_for_it() throws Exception {
        ZkStores ours = scene.join(server.connectString(), false);
        await(ours.components().register(pool("one", "a")));
        assertFalse(scene.exists(OLD));
    }
}
