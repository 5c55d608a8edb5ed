package nodepool.driver.fake;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.fake.FakeCloud.Server;

/**
 * Servers that several processes share and that outlive them: a file to which every change is appended and from which
 * everybody learns what the others did. Each call holds the file's lock, so it blocks while another process is in one. A
 * line that its writer did not live to finish never happened: readers pass it by, the next writer cuts it off.
 */
final class JournalServers implements FakeServers {

    /** One object for all generations of this bundle, each of which has these classes for itself: equal literals are the same. */
    private static final Object THIS_PROCESS = "nodepool.driver.fake.journal";

    private final Path file;
    private final Clock clock;
    private final Map<String, Server> servers = new LinkedHashMap<>();
    private long known;
    private int made;

    /** @param file made if it is missing, with its folder */
    JournalServers(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    @Override
    public Server add(Draft draft, int capacity) throws CloudException {
        return locked(journal -> {
            if (servers.size() >= capacity) {
                throw FakeServers.full(servers.size(), capacity);
            }
            Server server = draft.withId("fake-%06d".formatted(made + 1));
            append(journal, new JournalLine.Created(clock.instant(), server));
            return server;
        });
    }

    @Override
    public void remove(String id) throws CloudException {
        locked(journal -> {
            if (servers.containsKey(id)) {
                append(journal, new JournalLine.Deleted(clock.instant(), id));
            }
            return id;
        });
    }

    @Override
    public Optional<Server> find(String id) throws CloudException {
        return locked(journal -> Optional.ofNullable(servers.get(id)));
    }

    @Override
    public List<Server> list() throws CloudException {
        return locked(journal -> List.copyOf(servers.values()));
    }

    @FunctionalInterface
    private interface Use<T> {
        T of(FileChannel journal) throws IOException, CloudException;
    }

    /** File lock for other processes, monitor for the threads of this one, to which a held file lock is refused. */
    private <T> T locked(Use<T> use) throws CloudException {
        synchronized (THIS_PROCESS) {
            try {
                Files.createDirectories(file.toAbsolutePath().getParent());
                try (FileChannel journal = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    journal.lock(); // Until the channel is closed.
                    catchUp(journal);
                    return use.of(journal);
                }
            } catch (IOException | OverlappingFileLockException e) {
                throw new CloudException(Fault.TRANSIENT, "journal " + file + ": " + e, e);
            }
        }
    }

    private void catchUp(FileChannel journal) throws IOException {
        journal.position(known);
        String news = new String(Channels.newInputStream(journal).readAllBytes(), StandardCharsets.US_ASCII);
        String whole = news.substring(0, news.lastIndexOf('\n') + 1);
        whole.lines().forEach(line -> apply(JournalLine.parse(line)));
        known += whole.length();
    }

    private void append(FileChannel journal, JournalLine line) throws IOException {
        byte[] bytes = (line.text() + "\n").getBytes(StandardCharsets.US_ASCII);
        journal.truncate(known);
        journal.position(known);
        for (ByteBuffer rest = ByteBuffer.wrap(bytes); rest.hasRemaining(); ) {
            journal.write(rest);
        }
        known += bytes.length;
        apply(line);
    }

    private void apply(JournalLine line) {
        if (line instanceof JournalLine.Created created) {
            made++;
            servers.put(created.server().id(), created.server());
        } else if (line instanceof JournalLine.Activated activated) {
            servers.computeIfPresent(activated.id(), (id, server) -> server.activeAt(activated.at()));
        } else if (line instanceof JournalLine.Deleted deleted) {
            servers.remove(deleted.id());
        }
    }
}
