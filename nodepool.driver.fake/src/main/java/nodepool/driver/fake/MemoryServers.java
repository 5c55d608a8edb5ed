package nodepool.driver.fake;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.driver.fake.FakeCloud.Server;

/** Servers that are gone with the process. */
final class MemoryServers implements FakeServers {

    private final Map<String, Server> servers = new LinkedHashMap<>();
    private int made;

    @Override
    public synchronized Server add(Draft draft, int capacity) throws CloudException {
        if (servers.size() >= capacity) {
            throw FakeServers.full(servers.size(), capacity);
        }
        Server server = draft.withId("fake-%06d".formatted(++made));
        servers.put(server.id(), server);
        return server;
    }

    @Override
    public synchronized void remove(String id) {
        servers.remove(id);
    }

    @Override
    public synchronized Optional<Server> find(String id) {
        return Optional.ofNullable(servers.get(id));
    }

    @Override
    public synchronized List<Server> list() {
        return List.copyOf(servers.values());
    }
}
