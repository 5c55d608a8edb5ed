package nodepool.driver.fake;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;

/** Makes servers in a journal, one after the other, and says how many. */
public final class JournalWriter implements Callable<Integer> {

    private static final int SERVERS = 200;

    private final JournalServers servers;

    /** @param journal that others write at the same time */
    public JournalWriter(Path journal) {
        this.servers = new JournalServers(journal, Clock.systemUTC());
    }

    @Override
    public Integer call() throws Exception {
        for (int i = 0; i < SERVERS; i++) {
            servers.add(new FakeServers.Draft("np", "az1", Map.of(), Instant.EPOCH), Integer.MAX_VALUE);
        }
        return SERVERS;
    }
}
