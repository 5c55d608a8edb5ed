package nodepool.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import nodepool.api.json.JsonValue;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.testkit.MemorySnapshots;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupportBundleTest {

    private static final String CANARY = "canary-5f2b";

    @TempDir
    Path folder;

    @Test
    void what_users_and_clouds_put_into_nodes_stays_out() throws IOException {
        MemorySnapshots snapshots = new MemorySnapshots();
        snapshots.put(Node.draft(
                        NodeState.READY,
                        List.of("noble"),
                        Node.Place.in("rax", "main"),
                        Node.Machine.NONE
                                .withExternalId(Optional.of(CANARY))
                                .withAttributes(JsonValue.of(CANARY))
                                .withDriverData(JsonValue.of(CANARY)),
                        Instant.EPOCH)
                .withId("0000000001")
                .withAddresses(new Node.Addresses(
                        Optional.of(CANARY), Optional.of(CANARY), Optional.of(CANARY), Optional.of(CANARY)))
                .withConnection(Node.Connection.DEFAULT.withHostKeys(List.of(CANARY)))
                .withUse(new Node.Use(
                        Optional.of(CANARY), JsonValue.of(CANARY), Optional.of(CANARY), OptionalLong.empty())));

        Map<String, String> files = written(new SupportBundle().with("state.txt", () -> StateText.of(snapshots.now())));

        assertEquals(
                "node 0000000001 ready since 1970-01-01T00:00:00Z [noble] at rax/main for -\n", files.get("state.txt"));
        assertFalse(files.toString().contains(CANARY), files::toString);
    }

    @Test
    void a_part_that_cannot_be_made_does_not_keep_the_others_out() throws IOException {
        Map<String, String> files = written(new SupportBundle()
                .with("log.txt", () -> RecentLog.of(folder.resolve("missing-" + CANARY)))
                .with("bad.txt", () -> {
                    throw new IllegalStateException(CANARY);
                })
                .with("threads.txt", ProcessText::threads));
        assertEquals("cannot be read\n", files.get("log.txt"));
        assertEquals("cannot be made: java.lang.IllegalStateException\n", files.get("bad.txt"));
        assertTrue(files.get("threads.txt").contains("main (RUNNABLE)\n  at "), files::toString);
    }

    @Test
    void of_a_long_log_the_last_whole_lines_are_kept() throws IOException {
        Path log = folder.resolve("log");
        Files.writeString(log, "x".repeat(100) + "\n" + ("y".repeat(99) + "\n").repeat(RecentLog.LONGEST / 100));
        String kept = RecentLog.of(log);
        assertTrue(kept.startsWith("yyy") && kept.endsWith("y\n"), kept);
        assertTrue(kept.length() > RecentLog.LONGEST - 200 && kept.length() <= RecentLog.LONGEST);
    }

    private static Map<String, String> written(SupportBundle bundle) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bundle.write(bytes);
        Map<String, String> files = new TreeMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return files;
    }
}
