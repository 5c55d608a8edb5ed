package nodepool.itest.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import nodepool.itest.Installation;
import nodepool.testkit.Kazoo;
import nodepool.testkit.Running;
import nodepool.testkit.ZooKeeperProcess;

/** Launchers and their customers on one ZooKeeper and on clouds that outlive them, and what is known of them at the end. */
final class Fleet implements AutoCloseable {

    private static final String COMMON = """
            zookeeper-timeout: %d
            labels:
              - name: small
                min-ready: %d
              - name: one
                min-ready: %d
              - name: two
            tenant-resource-limits:
              - tenant-name: acme
                max-servers: 3
            providers:
            """;
    private static final String PROVIDER = """
              - name: %s
                driver: fake
                fake-delay: 1
                fake-servers: %d
                fake-journal: %s
                pools:
                  - name: main
                    max-servers: %d
                    labels:
                      - name: small
                      - name: %s
            """;
    /** Uses up every node that nobody has asked for, until there are none. */
    static final String EMPTY = """
            import threading, time
            from kazoo.exceptions import NoNodeError
            deadline = time.time() + 100
            changed = threading.Event()
            busy = set()
            while time.time() < deadline:
                changed.clear()
                nodes = c.get_children('/nodepool/nodes', watch=lambda event: changed.set())
                if not nodes:
                    break
                for id in nodes:
                    path = '/nodepool/nodes/' + id
                    try:
                        node = json.loads(c.get(path, watch=lambda event: changed.set())[0])
                        lock = c.Lock(path + '/lock', 'zuul')
                        if node['state'] == 'ready' and lock.acquire(blocking=False):
                            node = json.loads(c.get(path)[0])
                            if node['state'] == 'ready':
                                node['state'] = 'used'
                                c.set(path, json.dumps(node).encode())
                            lock.release()
                    except NoNodeError:
                        pass
                changed.wait(deadline - time.time())
            assert not nodes, 'nodes that stay: ' + str([c.get('/nodepool/nodes/' + id)[0] for id in nodes])
            """;

    private static final List<String> MOMENTS =
            List.of("Assigning node request ", "Fulfilled node request ", "Deleting ", "Deleted node ");

    /** Seconds until ZooKeeper gives up a session it hears nothing of. */
    static final int SESSION_TIMEOUT = 4;

    private final Path folder;
    private final Random random;
    private final long seed;
    private final ZooKeeperProcess zooKeeper;
    private final List<Member> members = new ArrayList<>();
    private final List<List<String>> served = new ArrayList<>();
    private final List<Running> customers = new ArrayList<>();
    private final List<Kill> kills = new ArrayList<>();

    private Fleet(Path folder, long seed, ZooKeeperProcess zooKeeper) {
        this.folder = folder;
        this.seed = seed;
        this.random = new Random(seed);
        this.zooKeeper = zooKeeper;
    }

    /**
     * Starts one.
     *
     * @param served for each launcher the providers it serves
     */
    static Fleet start(Path folder, long seed, List<List<String>> served) throws IOException, InterruptedException {
        Fleet fleet = new Fleet(folder, seed, ZooKeeperProcess.start(folder));
        try {
            fleet.served.addAll(served);
            Path installation = Installation.withDeployed(folder.resolve("nodepool"), "nodepool.driver.fake");
            for (int i = 0; i < served.size(); i++) {
                String name = "launcher-" + i;
                fleet.configure(name, served.get(i), 2, 1);
                fleet.members.add(Member.start(
                        name, installation, fleet.file(name), served.get(i).size()));
            }
            for (Member member : fleet.members) {
                member.awaitRegistered(fleet.zooKeeper.kazooArguments());
            }
            return fleet;
        } catch (IOException | InterruptedException | RuntimeException | AssertionError notUp) {
            fleet.close();
            throw notUp;
        }
    }

    private Path file(String name) {
        return folder.resolve(name + ".yaml");
    }

    private Path journal(String provider) {
        return folder.resolve(provider + ".journal");
    }

    private void configure(String name, List<String> providers, int small, int one) throws IOException {
        StringBuilder text =
                new StringBuilder(zooKeeper.nodepoolConfiguration() + COMMON.formatted(SESSION_TIMEOUT, small, one));
        for (String provider : providers) {
            Place place = Place.valueOf(provider);
            text.append(PROVIDER.formatted(provider, place.servers, journal(provider), place.limit, place.label));
        }
        Path next = Files.writeString(file(name + ".next"), text);
        Files.move(next, file(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** A provider. */
    enum Place {
        /** The pool is smaller than its cloud. */
        EAST(8, 6, "one"),
        /** The cloud is smaller than its pool. */
        WEST(4, 6, "two");

        private final int servers;
        private final int limit;
        private final String label;

        Place(int servers, int limit, String label) {
            this.servers = servers;
            this.limit = limit;
            this.label = label;
        }
    }

    /** Opens the doors for customers of a tenant, each of which asks for the same labels again and again. */
    void admit(String tenant, String... labels) throws IOException, InterruptedException {
        String[] arguments = new String[labels.length + 2];
        arguments[0] = Long.toString(seed);
        arguments[1] = tenant;
        System.arraycopy(labels, 0, arguments, 2, labels.length);
        customers.add(Kazoo.start(Fleet.class, "customers.py", zooKeeper.kazooArguments(), arguments));
    }

    /** Kills the launcher in the midst of its work and starts it again, at once or when the others have found its session gone. */
    void killAndRestart(int index) throws IOException, InterruptedException {
        Member victim = members.get(index);
        Member other = members.get((index + 1) % members.size());
        victim.awaitMore(MOMENTS.get(random.nextInt(MOMENTS.size())), 1 + random.nextInt(3));
        kills.add(victim.kill());
        if (random.nextBoolean()) {
            other.awaitMore("Fulfilled node request ", 4);
        }
        victim.restart();
        victim.awaitRegistered(zooKeeper.kazooArguments());
    }

    /** The customers bring back what they have and leave; nothing is kept in stock any more; all launchers end. */
    History end() throws IOException, InterruptedException {
        Kazoo.lines(zooKeeper.kazooArguments(), "c.create('/closing-time')").orFail();
        List<Told> told = new ArrayList<>();
        for (Running customer : customers) {
            customer.awaitEnd().orFail().lines().map(Told::parse).forEach(told::add);
        }
        for (int i = 0; i < members.size(); i++) {
            configure("launcher-" + i, served.get(i), 0, 0);
        }
        Kazoo.lines(zooKeeper.kazooArguments(), EMPTY); // Whether something is left is for the checks to say.
        for (Member member : members) {
            member.stop().orFail();
        }
        zooKeeper.stop();
        List<Machine> machines = new ArrayList<>();
        for (Place place : Place.values()) {
            machines.addAll(Machine.readAll(journal(place.name())));
        }
        return History.of(limits(), TransactionLog.read(zooKeeper.dataFolder()), machines, told, kills);
    }

    private static Limits limits() {
        Map<String, Integer> maxServers = List.of(Place.values()).stream()
                .collect(Collectors.toMap(Place::name, place -> Math.min(place.limit, place.servers)));
        return new Limits(Map.of("small", 2, "one", 1), maxServers, Map.of("acme", 3));
    }

    /** What each launcher has logged in its last life. */
    String logs() {
        return members.stream().map(member -> member.process().all()).collect(Collectors.joining("\n\n"));
    }

    @Override
    public void close() {
        customers.forEach(Running::close);
        members.forEach(Member::close);
        zooKeeper.close();
    }
}
