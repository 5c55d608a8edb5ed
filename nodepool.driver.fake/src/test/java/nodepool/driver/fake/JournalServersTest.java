package nodepool.driver.fake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import nodepool.api.driver.CloudException;
import nodepool.driver.fake.FakeCloud.Server;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalServersTest {

    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(1234), ZoneOffset.UTC);

    @TempDir
    Path folder;

    private Path journal;
    private JournalServers mine;
    private JournalServers theirs;

    @BeforeEach
    void open() {
        journal = folder.resolve("clouds/one.journal");
        mine = new JournalServers(journal, CLOCK);
        theirs = new JournalServers(journal, CLOCK);
    }

    @Test
    void what_one_makes_or_removes_the_others_see() throws Exception {
        Server first = mine.add(draft("np1"), 9);
        Server second = theirs.add(draft("np2"), 9);
        assertEquals(List.of(first, second), mine.list());
        assertEquals(Optional.of(second), mine.find(second.id()));

        mine.remove(second.id());

        assertEquals(List.of(first), theirs.list());
        assertEquals(List.of(first), new JournalServers(journal, CLOCK).list());
    }

    @Test
    void all_words_survive() throws Exception {
        Map<String, String> metadata = Map.of("a key", "line 1\nline 2", "empty", "", "ä=%", "100 % ü");
        FakeServers.Draft odd = new FakeServers.Draft("a b", "", metadata, Instant.ofEpochMilli(-5));
        assertEquals(odd.withId("fake-000001"), mine.add(odd, 1));
        assertEquals(List.of(odd.withId("fake-000001")), theirs.list());
    }

    @Test
    void the_capacity_is_that_of_all_together() throws Exception {
        mine.add(draft("np1"), 2);
        theirs.add(draft("np2"), 2);
        CloudException full = assertThrows(CloudException.class, () -> mine.add(draft("np3"), 2));
        assertEquals(CloudException.Fault.QUOTA, full.fault());
    }

    @Test
    void an_id_is_never_given_twice() throws Exception {
        mine.remove(mine.add(draft("np1"), 1).id());
        assertEquals("fake-000002", theirs.add(draft("np2"), 1).id());
    }

    @Test
    void a_line_whose_writer_died_never_happened() throws Exception {
        Server first = mine.add(draft("np1"), 9);
        Files.writeString(journal, "created 1 fake-0000", StandardOpenOption.APPEND);
        assertEquals(List.of(first), theirs.list());

        Server second = theirs.add(draft("np2"), 9);

        assertEquals(List.of(first, second), mine.list());
        assertEquals(
                List.of("created 1234 fake-000001 0 np1 az1", "created 1234 fake-000002 0 np2 az1"),
                Files.readAllLines(journal));
    }

    @Test
    void the_thirtieth_of_thirty_at_once_finds_room_and_no_other() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<String>> calls = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                JournalServers one = i % 2 == 0 ? mine : theirs;
                calls.add(() -> one.add(draft("np"), 30).id());
            }
            int refused = 0;
            List<String> made = new ArrayList<>();
            for (Future<String> call : threads.invokeAll(calls)) {
                try {
                    made.add(call.get());
                } catch (ExecutionException full) {
                    refused++;
                }
            }
            assertEquals(10, refused);
            assertEquals(30, new HashSet<>(made).size());
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void a_server_becomes_active_before_its_time_when_the_journal_says_so() throws Exception {
        String id = mine.add(draft("np"), 9).id();
        Files.writeString(journal, "active 77 " + id + "\n", StandardOpenOption.APPEND);

        assertEquals(Instant.ofEpochMilli(77), theirs.find(id).orElseThrow().activeAt());
    }

    @Test
    void two_generations_of_the_driver_in_one_process_never_refuse_each_other_the_file() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Integer>> both = List.of(new JournalWriter(journal), writerOfAnother());
            int made = 0;
            for (Future<Integer> writer : threads.invokeAll(both)) {
                made += writer.get();
            }
            assertEquals(made, mine.list().size());
        } finally {
            threads.shutdownNow();
        }
    }

    /** With classes of its own, as after an update of the bundle. */
    @SuppressWarnings("unchecked")
    private Callable<Integer> writerOfAnother() throws Exception {
        ClassLoader generation = new ClassLoader(getClass().getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (!name.startsWith("nodepool.driver.fake.")) {
                    return super.loadClass(name, resolve);
                }
                Class<?> known = findLoadedClass(name);
                return known != null ? known : define(name);
            }

            private Class<?> define(String name) throws ClassNotFoundException {
                try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        };
        return (Callable<Integer>) generation
                .loadClass(JournalWriter.class.getName())
                .getConstructor(Path.class)
                .newInstance(journal);
    }

    @Test
    void a_journal_that_cannot_be_used_is_a_transient_fault() {
        CloudException fault = assertThrows(CloudException.class, () -> new JournalServers(folder, CLOCK).list());
        assertEquals(CloudException.Fault.TRANSIENT, fault.fault());
    }

    private static FakeServers.Draft draft(String hostname) {
        return new FakeServers.Draft(hostname, "az1", Map.of(), Instant.EPOCH);
    }
}
