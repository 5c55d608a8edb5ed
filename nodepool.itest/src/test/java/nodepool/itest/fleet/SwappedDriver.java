package nodepool.itest.fleet;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import nodepool.itest.Installation;
import nodepool.testkit.Ended;
import nodepool.testkit.Kazoo;
import nodepool.testkit.Running;
import nodepool.testkit.ZooKeeperProcess;

/** A launcher whose one driver lies in the watched folder, in whatever version a test puts there, and its customers. */
final class SwappedDriver implements AutoCloseable {

    /** Machines of the first provider boot when {@link #bootAll} is called, those of the other at once. */
    static final List<String> PROVIDERS = List.of("slow-cloud", "quick-cloud");

    private static final String CONFIGURATION = """
            labels:
              - name: slow
              - name: quick
            providers:
              - name: slow-cloud
                driver: fake
                fake-delay: 86400
                launch-timeout: 86400
                fake-servers: 300
                fake-journal: %s
                pools:
                  - name: main
                    labels:
                      - name: slow
              - name: quick-cloud
                driver: fake
                fake-delay: 0.2
                fake-servers: 10
                fake-journal: %s
                pools:
                  - name: main
                    labels:
                      - name: quick
            """;
    /** Arguments: a provider, how many machines. */
    private static final String AWAIT_HALF_BUILT = """
            import threading
            provider, wanted = sys.argv[2], int(sys.argv[3])
            building, seen, done = set(), set(), threading.Event()
            def follow(id):
                @c.DataWatch('/nodepool/nodes/' + id)
                def look(data, stat, *event):
                    node = json.loads(data) if data else {}
                    half = node.get('provider') == provider and node['state'] == 'building' and node['external_id']
                    (building.add if half else building.discard)(id)
                    if len(building) >= wanted:
                        done.set()
            @c.ChildrenWatch('/nodepool/nodes')
            def list(children):
                for id in set(children) - seen:
                    seen.add(id)
                    follow(id)
            assert done.wait(100), 'only %d half-built machines' % len(building)
            """;
    /** How many there are now. */
    private static final String HALF_BUILT = """
            from kazoo.exceptions import NoNodeError
            count = 0
            for id in c.get_children('/nodepool/nodes'):
                try:
                    node = json.loads(c.get('/nodepool/nodes/' + id)[0])
                    count += node['provider'] == sys.argv[2] and node['state'] == 'building'
                except NoNodeError:
                    pass
            print(count)
            """;
    /** Arguments: requests that must be told to wait for a driver. */
    private static final String AWAIT_DRIVER_ABSENT = """
            import threading
            waiting, done, seen = set(sys.argv[2:]), threading.Event(), set()
            def follow(path):
                @c.DataWatch(path)
                def look(data, stat, *event):
                    if data and b'DRIVER_ABSENT' in data:
                        waiting.discard(path.rsplit('/', 1)[1])
                        if not waiting:
                            done.set()
            @c.ChildrenWatch('/nodepool-annex/accounts')
            def pools(ids):
                for id in set(ids) - seen:
                    seen.add(id)
                    for request in sys.argv[2:]:
                        follow('/nodepool-annex/accounts/' + id + '/' + request)
            assert done.wait(100), 'not told to wait for a driver: ' + str(waiting)
            """;

    private final Path folder;
    private final ZooKeeperProcess zooKeeper;
    private final Running launcher;
    private final Path driver;
    private final List<Running> customers = new ArrayList<>();

    private SwappedDriver(Path folder, ZooKeeperProcess zooKeeper, Running launcher) throws IOException {
        this.folder = folder;
        this.zooKeeper = zooKeeper;
        this.launcher = launcher;
        this.driver = Installation.bundle("nodepool.driver.fake");
    }

    /** Starts it, without a driver. */
    static SwappedDriver start(Path folder) throws IOException, InterruptedException {
        Path deploy = Files.createDirectory(folder.resolve("deploy"));
        ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(folder);
        Path file = Files.writeString(
                folder.resolve("nodepool.yaml"),
                zooKeeper.nodepoolConfiguration()
                        + CONFIGURATION.formatted(journal(folder, "slow"), journal(folder, "quick")));
        Running launcher = Running.start(
                Map.of(
                        "NODEPOOL_VAR",
                        folder.resolve("var").toString(),
                        "NODEPOOL_JAVA_OPTS",
                        "-Dfelix.fileinstall.dir=" + deploy + " -Dfelix.fileinstall.poll=200"),
                List.of(Installation.program("nodepool-launcher"), "-f", "--no-webapp", "-c", file.toString()));
        SwappedDriver system = new SwappedDriver(folder, zooKeeper, launcher);
        try {
            launcher.await("launcher started");
            return system;
        } catch (InterruptedException | AssertionError notUp) {
            system.close();
            throw notUp;
        }
    }

    private static Path journal(Path folder, String cloud) {
        return folder.resolve(cloud + ".journal");
    }

    private Path deployed() {
        return folder.resolve("deploy/fake.jar");
    }

    /** Puts that version into the watched folder and waits until all providers work with it. */
    void drop(String version) throws IOException, InterruptedException {
        int known = launcher.size();
        BundleVersion.write(driver, version, deployed());
        for (String provider : PROVIDERS) {
            launcher.awaitAfter(known, "Provider " + provider + " is in service");
        }
    }

    /** Takes the driver out of the watched folder and waits until it is gone. */
    void takeAway() throws IOException, InterruptedException {
        int known = launcher.size();
        Files.delete(deployed());
        for (String provider : PROVIDERS) {
            launcher.awaitAfter(known, "Driver fake of provider " + provider + " is gone");
        }
    }

    /** Opens the doors for customers who use one quick node after the other. */
    void admit(int number) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("1", "acme"));
        for (int i = 0; i < number; i++) {
            arguments.add("quick");
        }
        customers.add(
                Kazoo.start(Fleet.class, "customers.py", zooKeeper.kazooArguments(), arguments.toArray(String[]::new)));
    }

    /** Opens the doors for a customer who asks for slow nodes and keeps them. */
    Running admitWholesaler(int requests, int size) throws IOException {
        Running wholesaler = Kazoo.start(
                Fleet.class,
                "wholesale.py",
                zooKeeper.kazooArguments(),
                "slow",
                Integer.toString(requests),
                Integer.toString(size));
        customers.add(wholesaler);
        return wholesaler;
    }

    void awaitHalfBuilt(int machines) throws IOException, InterruptedException {
        kazoo(AWAIT_HALF_BUILT, PROVIDERS.get(0), Integer.toString(machines));
    }

    int halfBuilt() throws IOException, InterruptedException {
        return Integer.parseInt(kazoo(HALF_BUILT, PROVIDERS.get(0)).strip());
    }

    /** Waits until each of these requests has the answer <em>deferred: driver absent</em>. */
    void awaitDriverAbsent(List<String> requests) throws IOException, InterruptedException {
        kazoo(AWAIT_DRIVER_ABSENT, requests.toArray(String[]::new));
    }

    /** Lets all machines of the slow cloud come up that are there now. */
    void bootAll() throws IOException {
        Path journal = journal(folder, "slow");
        try (FileChannel file = FileChannel.open(journal, StandardOpenOption.APPEND)) {
            file.lock(); // As its other writers do.
            StringBuilder lines = new StringBuilder();
            for (Machine machine : Machine.readAll(journal)) {
                lines.append("active ")
                        .append(machine.made().toEpochMilli())
                        .append(' ')
                        .append(machine.id())
                        .append('\n');
            }
            Channels.newOutputStream(file).write(lines.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }

    private String kazoo(String lines, String... arguments) throws IOException, InterruptedException {
        return Kazoo.lines(zooKeeper.kazooArguments(), lines, arguments).orFail();
    }

    Running launcher() {
        return launcher;
    }

    /** The customers bring back what they have and leave, and no node is left. Gives what they have written down. */
    List<Told> dismissCustomers() throws IOException, InterruptedException {
        kazoo("c.create('/closing-time')");
        List<Told> told = new ArrayList<>();
        for (Running customer : customers) {
            customer.awaitEnd().orFail().lines().map(Told::parse).forEach(told::add);
        }
        kazoo(Fleet.EMPTY);
        return told;
    }

    /** Ends everything. */
    History end(List<Told> told) throws IOException, InterruptedException {
        Ended ended = launcher.stop();
        ended.orFail();
        zooKeeper.stop();
        List<Machine> machines = new ArrayList<>(Machine.readAll(journal(folder, "slow")));
        machines.addAll(Machine.readAll(journal(folder, "quick")));
        Limits limits = new Limits(Map.of(), Map.of(), Map.of());
        return History.of(limits, TransactionLog.read(zooKeeper.dataFolder()), machines, told, List.of());
    }

    @Override
    public void close() {
        customers.forEach(Running::close);
        launcher.close();
        zooKeeper.close();
    }
}
