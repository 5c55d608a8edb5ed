package nodepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import nodepool.api.request.NodeRequest;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code --watch}, on a real ZooKeeper. */
@Timeout(60)
class WatchTest {

    private static final String SCREEN = "\u001b[H\u001b[2J";

    @TempDir
    private Path folder;

    @Test
    void a_watched_list_is_printed_again_when_it_has_changed_and_only_then() throws Exception {
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(Files.createDirectory(folder.resolve("zk")), 0);
                World world = new World(server, "/watched", Files.createDirectory(folder.resolve("etc")));
                PipedReader end = new PipedReader(65_536);
                BufferedReader screen = new BufferedReader(end);
                PrintWriter out = new PrintWriter(new PipedWriter(end))) {
            CompletableFuture<Integer> ended = new CompletableFuture<>();
            Thread tool = new Thread(() -> ended.complete(watch(world, out)));
            tool.start();
            assertEquals(SCREEN + "id,state", screen.readLine());

            NodeRequest made = request(world, "small");
            assertEquals(SCREEN + "id,state", screen.readLine());
            assertEquals(made.id() + ",requested", screen.readLine());

            request(world, "big");
            World.await(world.stores().imageMarks().pause("debian"));
            assertTrue(World.await(world.stores().requests().delete(made.id())));
            assertEquals(SCREEN + "id,state", screen.readLine());

            tool.interrupt();
            assertEquals(0, ended.get(30, TimeUnit.SECONDS));
        }
    }

    private static NodeRequest request(World world, String label) {
        NodeRequest draft =
                NodeRequest.draft(NodeRequest.Wanted.of(List.of(label)), NodeRequest.Asker.named("test"), World.NOW);
        return World.await(world.stores().requests().create(draft, "200", false));
    }

    private static int watch(World world, PrintWriter out) {
        return Main.run(
                List.of(
                        "-c",
                        world.file("nodepool.yaml").toString(),
                        "request-list",
                        "--watch",
                        "--label",
                        "small",
                        "--format",
                        "csv",
                        "--fields",
                        "id,state"),
                new Surroundings(
                        Clock.fixed(World.NOW, ZoneOffset.UTC),
                        new BufferedReader(new StringReader("")),
                        out,
                        new PrintWriter(new StringWriter()),
                        true,
                        false));
    }
}
