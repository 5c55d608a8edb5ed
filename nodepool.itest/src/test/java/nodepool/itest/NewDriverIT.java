package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import nodepool.testkit.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** What {@code nodepool new-driver} makes compiles, and passes the contract kit. */
class NewDriverIT {

    @TempDir
    private Path folder;

    @Test
    @Timeout(600)
    void a_new_driver_compiles_and_passes_the_contract_kit() throws Exception {
        NewDriver made = NewDriver.make(folder);
        assertTrue(Files.readString(made.project().resolve("pom.xml"))
                .contains(Installation.home().toRealPath().toString()));
        TestExecutionSummary summary = run(made.classes());
        StringWriter failures = new StringWriter();
        summary.getFailures()
                .forEach(one -> failures.write(one.getTestIdentifier() + ": " + one.getException() + "\n"));
        assertEquals(0, summary.getTotalFailureCount(), failures::toString);
        assertTrue(summary.getTestsSucceededCount() > 50, () -> "cases: " + summary.getTestsSucceededCount());
    }

    @Test
    void a_folder_with_something_in_it_is_left_alone() throws Exception {
        Path file = Files.writeString(folder.resolve("mine"), "precious");
        Ended refused = Ended.of(Map.of(), Installation.program("nodepool"), "new-driver", "acme", folder.toString());
        assertEquals(2, refused.code());
        assertEquals(List.of(file), listing());
    }

    private List<Path> listing() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private static TestExecutionSummary run(Path classes) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, NewDriverIT.class.getClassLoader())) {
            thread.setContextClassLoader(loader);
            Class<?> contract = loader.loadClass("nodepool.driver.acme.AcmeContractTest");
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            Launcher launcher = LauncherFactory.create();
            launcher.execute(
                    LauncherDiscoveryRequestBuilder.request()
                            .selectors(selectClass(contract))
                            .build(),
                    listener);
            return listener.getSummary();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
