package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Stores;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;
import org.apache.felix.service.command.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;

/** The bundles of the launcher's assembly together, inside a framework: each test has one of its own. */
@ExtendWith(InFelix.class)
class LauncherAssemblyIT {

    private static final String CONFIGURATION = """
            zookeeper-servers:
              - host: 127.0.0.1
                port: %s
            labels:
              - name: small
            providers:
              - name: fake-cloud
                driver: fake
                cloud-images:
                  - name: image
                pools:
                  - name: main
                    labels:
                      - name: small
                        cloud-image: image
            """;

    @Test
    void every_bundle_runs_and_every_component_is_satisfied() throws Exception {
        try (Inside inside = Inside.enter()) {
            for (Bundle bundle : inside.context().getBundles()) {
                boolean fragment = bundle.getHeaders().get(Constants.FRAGMENT_HOST) != null;
                assertTrue(fragment || bundle.getState() == Bundle.ACTIVE, () -> bundle + " is " + bundle.getState());
            }
            configure(inside);
            ServiceComponentRuntime runtime = inside.service(ServiceComponentRuntime.class);
            inside.until(
                    "satisfied: " + unsatisfied(runtime),
                    () -> unsatisfied(runtime).isEmpty());
            Set<String> ours = new TreeSet<>();
            runtime.getComponentDescriptionDTOs().forEach(component -> ours.add(component.bundle.symbolicName));
            assertTrue(
                    ours.containsAll(Set.of("nodepool.config", "nodepool.zk", "nodepool.launcher", "nodepool.cli")),
                    ours::toString);
        }
    }

    @Test
    void the_stores_come_with_a_configuration_and_go_with_it() throws Exception {
        try (Inside inside = Inside.enter()) {
            inside.service(ConfigurationSource.class);
            assertFalse(inside.has(Stores.class), "there was no configuration yet");

            Bundle server = configure(inside);
            Stores stores = inside.service(Stores.class);
            Inside.snapshot(stores);
            assertTrue(stores.snapshots().status().connected());

            server.stop();
            inside.until(
                    stores,
                    "the store is out of reach",
                    () -> stores.snapshots().current().isEmpty());
            assertSame(stores, inside.service(Stores.class), "whoever uses it waits for the server to come back");

            inside.bundle("nodepool.config").stop();
            inside.until("the stores are gone", () -> !inside.has(Stores.class));
            inside.bundle("nodepool.config").start();
            inside.service(Stores.class);
        }
    }

    @Test
    void the_commands_are_in_the_shell() throws Exception {
        try (Inside inside = Inside.enter()) {
            configure(inside);
            Set<String> wanted = Set.of("list", "request-list", "info", "config-validate", "delete", "hold", "request");
            inside.until("commands", () -> commands(inside).containsAll(wanted));
            String request = inside.request(inside.service(Stores.class), "no-such-label");

            String table = inside.shell("nodepool:request-list");

            assertTrue(table.contains(request), table);
            assertTrue(inside.shell("nodepool:list").contains("| ID "), inside.shell("nodepool:list"));
        }
    }

    @Test
    void a_driver_comes_is_replaced_leaves_and_comes_back_and_no_node_is_touched() throws Exception {
        try (Inside inside = Inside.enter()) {
            configure(inside);
            Stores stores = inside.service(Stores.class);
            Told told = new Told(inside);
            inside.context().registerService(EventListener.class, told, null);

            Bundle driver = inside.install("nodepool.driver.fake");
            List<String> nodes = new ArrayList<>(inside.fulfilled(stores, inside.request(stores, "small", "small")));
            assertEquals(2, nodes.size());

            try (InputStream same = Files.newInputStream(inside.file("nodepool.driver.fake"))) {
                driver.update(same);
            }
            nodes.addAll(inside.fulfilled(stores, inside.request(stores, "small")));
            Map<String, String> before = states(stores);
            assertTrue(before.keySet().containsAll(nodes), before::toString);

            inside.until("it is back", () -> !told.isDriverAbsent("fake-cloud"));
            driver.uninstall();
            inside.until("it is gone", () -> told.isDriverAbsent("fake-cloud"));
            String waiting = inside.request(stores, "small");
            inside.until("deferred, because the driver is not there", () -> told.waitsForDriver(waiting));
            NodeRequest untouched = Inside.snapshot(stores).request(waiting).orElseThrow();
            assertEquals("requested", untouched.state().wireName());
            assertEquals(List.of(), untouched.declinedBy());
            assertEquals(before, states(stores));

            inside.install("nodepool.driver.fake");
            inside.fulfilled(stores, waiting);
            assertTrue(states(stores).entrySet().containsAll(before.entrySet()), before::toString);
        }
    }

    /** What the launcher tells: its latest words on each request and each provider. */
    private record Told(Inside inside, Map<String, Verdict> verdicts, Map<String, Optional<Reason>> troubles)
            implements EventListener {

        Told(Inside inside) {
            this(inside, new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
        }

        @Override
        public void on(Event event) {
            if (event instanceof Event.Judged judged) {
                verdicts.put(judged.requestId(), judged.verdict());
            } else if (event instanceof Event.ProviderChanged changed) {
                troubles.put(changed.provider(), changed.trouble());
            }
            inside.ring();
        }

        boolean isDriverAbsent(String provider) {
            return troubles.getOrDefault(provider, Optional.empty())
                    .filter(Told::isDriverAbsent)
                    .isPresent();
        }

        boolean waitsForDriver(String request) {
            return verdicts.get(request) instanceof Verdict.Defer defer && isDriverAbsent(defer.until());
        }

        private static boolean isDriverAbsent(Reason why) {
            return why.code() == Reason.Code.DRIVER_ABSENT;
        }
    }

    /** Starts a server and configures the launcher to use it. */
    private static Bundle configure(Inside inside) throws Exception {
        Bundle server = inside.install("nodepool.zk.embedded");
        // The last to go: a launcher waits for its ZooKeeper before it ends without.
        server.adapt(BundleStartLevel.class).setStartLevel(1);
        inside.configure(CONFIGURATION.formatted(inside.property("nodepool.zk.embedded.port")));
        return server;
    }

    private static Map<String, String> states(Stores stores) throws Exception {
        Map<String, String> states = new HashMap<>();
        for (Node node : Inside.snapshot(stores).nodes()) {
            states.put(node.id(), node.state().wireName());
        }
        return states;
    }

    private static List<String> unsatisfied(ServiceComponentRuntime runtime) {
        List<String> names = new ArrayList<>();
        for (ComponentDescriptionDTO component : runtime.getComponentDescriptionDTOs()) {
            boolean fine = runtime.getComponentConfigurationDTOs(component).stream()
                    .anyMatch(now -> now.state == ComponentConfigurationDTO.ACTIVE
                            || now.state == ComponentConfigurationDTO.SATISFIED);
            if (!fine) {
                names.add(component.name);
            }
        }
        return names;
    }

    private static Set<String> commands(Inside inside) {
        Set<String> names = new TreeSet<>();
        try {
            for (ServiceReference<Function> command :
                    inside.context().getServiceReferences(Function.class, "(osgi.command.scope=nodepool)")) {
                names.add(String.valueOf(command.getProperty("osgi.command.function")));
            }
        } catch (InvalidSyntaxException wrong) {
            throw new AssertionError(wrong);
        }
        return names;
    }
}
