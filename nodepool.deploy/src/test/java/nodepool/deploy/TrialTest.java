package nodepool.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.launch.Framework;
import org.slf4j.LoggerFactory;

/** What is refused though it may be trusted, in a real framework. */
class TrialTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger("nodepool.Deploy");
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();

    @TempDir
    private Path folder;

    private Framework framework;
    private BundleDeployer deployer;

    @BeforeEach
    void start() throws Exception {
        framework = new FrameworkFactory()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE,
                        folder.resolve("framework").toString(),
                        Constants.FRAMEWORK_BSNVERSION,
                        Constants.FRAMEWORK_BSNVERSION_MULTIPLE));
        framework.start();
        deployer = new BundleDeployer(
                framework.getBundleContext(),
                new Trust(Optional.empty(), true, new OwnerOnly(System.getProperty("user.name"))));
        drop("api.jar", "api", "1.4.0", Map.of("Export-Package", "com.acme.api;version=\"1.4.0\""));
        said.start();
        logger.addAppender(said);
    }

    @AfterEach
    void stop() throws Exception {
        logger.detachAppender(said);
        framework.stop();
        framework.waitForStop(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[2.0,3) from 2.0.0 to below 3.0.0", "[1.0,1.4) from 1.0.0 to below 1.4.0", "1.5 from 1.5.0"})
    void a_bundle_for_another_version_of_a_package_is_refused_and_the_one_that_runs_is_untouched(String range)
            throws Exception {
        drop("driver.jar", "driver", "1.0.0", needs("[1.0,2)"));
        Bundle running = bundle("driver");
        long since = running.getLastModified();

        drop("driver.jar", "driver", "1.0.1", needs(range.substring(0, range.indexOf(' '))));

        said("it was built for versions" + range.substring(range.indexOf(' '))
                + " of the package com.acme.api, and here is 1.4.0; version 1.0.0 of driver stays");
        assertSame(running, bundle("driver"));
        assertEquals(Bundle.ACTIVE, running.getState());
        assertEquals(since, running.getLastModified());
    }

    @Test
    void a_bundle_that_lacks_a_package_comes_when_that_has_come() throws Exception {
        drop("driver.jar", "driver", "1.0.0", Map.of("Import-Package", "com.acme.client"));
        said("it needs the package com.acme.client, which no bundle here has");

        drop("client.jar", "client", "1.0.0", Map.of("Export-Package", "com.acme.client"));

        assertEquals(Bundle.ACTIVE, bundle("driver").getState());
    }

    @Test
    void a_bundle_that_throws_at_its_start_makes_room_for_the_one_before() throws Exception {
        drop("driver.jar", "driver", "1.0.0", Map.of());

        drop("driver.jar", "driver", "1.0.1", Map.of("Bundle-Activator", "no.such.Activator"));

        said("it does not start: java.lang.ClassNotFoundException: no.such.Activator");
        said("version 1.0.0 of driver stays");
        assertEquals("1.0.0", bundle("driver").getVersion().toString());
        assertEquals(Bundle.ACTIVE, bundle("driver").getState());
    }

    @Test
    void the_same_version_in_another_file_content_takes_its_place() throws Exception {
        drop("driver.jar", "driver", "1.0.0", Map.of());
        drop("driver.jar", "driver", "1.0.0", Map.of("Bundle-Name", "second"));
        assertEquals("second", bundle("driver").getHeaders().get("Bundle-Name"));
    }

    @Test
    void a_driver_of_a_name_that_is_taken_is_refused_until_the_other_is_gone() throws Exception {
        framework
                .getBundleContext()
                .registerService(
                        Runnable.class, () -> {}, FrameworkUtil.asDictionary(Map.of(DriverNames.PROPERTY, "acme")));
        Path jar = Jar.driver(folder.resolve("driver.jar"), "driver", "acme");

        deployer.install(jar.toFile());

        said("it brings the driver acme, which is there already, from org.apache.felix.framework ");
        assertEquals(List.of(), bundles("driver"));
    }

    @Test
    void a_reason_is_told_once_while_it_lasts() throws Exception {
        drop("driver.jar", "driver", "1.0.0", needs("[2.0,3)"));
        drop("other.jar", "other", "1.0.0", Map.of());
        drop("third.jar", "third", "1.0.0", Map.of());
        assertEquals(
                1,
                said.list.stream()
                        .filter(line -> line.getFormattedMessage().contains(" is refused: "))
                        .count());
    }

    private static Map<String, String> needs(String range) {
        return Map.of("Import-Package", "com.acme.api;version=\"" + range + "\"");
    }

    private void drop(String file, String name, String version, Map<String, String> headers) throws Exception {
        boolean there = Files.exists(folder.resolve(file));
        Path jar = Jar.bundle(folder.resolve(file), name, version, headers);
        if (there) {
            deployer.update(jar.toFile());
        } else {
            deployer.install(jar.toFile());
        }
    }

    private Bundle bundle(String name) {
        assertEquals(1, bundles(name).size(), name);
        return bundles(name).get(0);
    }

    private List<Bundle> bundles(String name) {
        return Arrays.stream(framework.getBundleContext().getBundles())
                .filter(bundle -> name.equals(bundle.getSymbolicName()))
                .toList();
    }

    private void said(String what) {
        List<String> lines =
                said.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        assertTrue(lines.stream().anyMatch(line -> line.contains(what)), () -> what + " in " + lines);
    }
}
