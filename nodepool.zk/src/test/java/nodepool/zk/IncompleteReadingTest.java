package nodepool.zk;

import static nodepool.zk.Scene.await;
import static nodepool.zk.Scene.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import nodepool.zk.CuttingProxy.Cut;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The connection breaks while everything is read: whoever decided on half of the tree would delete the other half. */
class IncompleteReadingTest {

    private static final int NODES = 50;

    @TempDir
    Path folder;

    private EmbeddedZooKeeper server;
    private CuttingProxy proxy;
    private Scene scene;
    private ZkStores ours;
    private final Set<Integer> shown = new ConcurrentSkipListSet<>();

    @BeforeEach
    void start() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        proxy = new CuttingProxy(server.port());
        scene = new Scene(server.connectString());
        scene.open().close();
        for (int i = 0; i < NODES; i++) {
            scene.put(
                    "/nodepool/nodes/%010d".formatted(i),
                    "{\"state\": \"ready\", \"state_time\": 1.5, \"type\": [\"x\"]}");
        }
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
        proxy.close();
        server.close();
    }

    private void connect() {
        ours = scene.connect(proxy.address(), "", Duration.ofSeconds(10));
        ours.snapshots()
                .onChange(() -> ours.snapshots()
                        .current()
                        .ifPresent(now -> shown.add(now.nodes().size())));
    }

    static Stream<Arguments> cuts() {
        return Stream.of(Cut.values())
                .flatMap(when -> Stream.of(
                                "/nodepool/requests",
                                "/nodepool/nodes/0000000000",
                                "/nodepool/nodes/0000000025/lock",
                                "/nodepool/components/pool")
                        .map(marker -> Arguments.of(when, marker)));
    }

    @ParameterizedTest
    @MethodSource("cuts")
    void nothing_is_shown_at_first_until_everything_was_read(Cut when, String marker) {
        CompletableFuture<Void> cut = proxy.cut(when, marker);
        connect();
        await(ours.snapshots().next());
        assertTrue(cut.isDone());
        assertEquals(Set.of(NODES), shown);
    }

    @ParameterizedTest
    @MethodSource("cuts")
    void nothing_is_shown_again_until_everything_was_read(Cut when, String marker) throws Exception {
        connect();
        await(ours.snapshots().next());
        CompletableFuture<Void> cut = proxy.cut(when, marker);
        proxy.drop();
        await(cut);
        until(ours, now -> now.nodes().size() == NODES);
        scene.put("/nodepool/nodes/0000000000", "");
        until(ours, now -> now.nodes().size() == NODES - 1);
        assertEquals(Set.of(NODES, NODES - 1), shown);
    }
}
