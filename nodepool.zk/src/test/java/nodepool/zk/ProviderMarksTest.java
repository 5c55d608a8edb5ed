package nodepool.zk;

import static nodepool.zk.Scene.await;
import static nodepool.zk.Scene.until;

import java.nio.file.Path;
import java.util.Optional;
import nodepool.api.store.ProviderMark;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators want of providers, against a real server. */
class ProviderMarksTest {

    @TempDir
    private Path folder;

    private EmbeddedZooKeeper server;
    private Scene scene;
    private ZkStores ours;
    private ZkStores theirs;

    @BeforeEach
    void connect() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        scene = new Scene(server.connectString());
        ours = scene.open();
        theirs = scene.open();
    }

    @AfterEach
    void close() {
        scene.close();
        server.close();
    }

    @Test
    void a_mark_is_seen_by_everybody_replaced_and_cleared() {
        mark(ProviderMark.PAUSED);
        mark(ProviderMark.DRAINED);
        mark(ProviderMark.PAUSED);

        await(ours.providerMarks().clear("east"));
        until(theirs, now -> now.mark("east").isEmpty());
    }

    @Test
    void who_comes_later_sees_it_too_and_only_at_that_provider() {
        mark(ProviderMark.PAUSED);

        until(
                scene.open(),
                now -> now.mark("east").isPresent() && now.mark("west").isEmpty());
    }

    @Test
    void marks_may_be_repeated() {
        for (int time = 0; time < 2; time++) {
            mark(ProviderMark.PAUSED);
        }
        for (int time = 0; time < 2; time++) {
            await(ours.providerMarks().clear("east"));
        }
        until(theirs, now -> now.mark("east").isEmpty());
    }

    private void mark(ProviderMark mark) {
        await(ours.providerMarks().mark("east", mark));
        until(theirs, now -> now.mark("east").equals(Optional.of(mark)));
    }
}
