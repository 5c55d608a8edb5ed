package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import nodepool.testkit.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A bundle that cannot do its work is refused with a reason, and the version that runs stays. */
class RefusedDriverIT {

    private static final String STAYS = "; version 1.0.0 of nodepool.driver.acme stays";

    @TempDir
    private Path folder;

    @Test
    @Timeout(300)
    void whatever_is_wrong_with_a_new_version_the_running_one_stays() throws Exception {
        try (TextCloud cloud = new TextCloud();
                AcmeSystem system = AcmeSystem.start(folder, cloud, 0)) {
            NewDriver driver = system.driver();
            assertRefused(
                    "it was built for versions from 2.0.0 to below 3.0.0 of the package nodepool.api.driver, and here is 1.",
                    system.dropRefused("acme.jar", file -> driver.bundle(file, "1.0.0", needs("[2.0,3)"))));
            assertEquals(0, cloud.everMade());

            system.drop("1.0.0");
            assertServes(system);

            assertRefused(
                    "it was built for versions from 2.0.0 to below 3.0.0 of the package nodepool.api.driver, and here is 1.",
                    STAYS,
                    system.dropRefused("acme.jar", file -> driver.bundle(file, "1.0.1", needs("[2.0,3)"))));
            assertRefused(
                    "it was built for versions from 0.9.0 to below 1.0.0 of the package nodepool.api.driver, and here is 1.",
                    STAYS,
                    system.dropRefused("acme.jar", file -> driver.bundle(file, "1.0.2", needs("[0.9,1)"))));
            assertRefused(
                    "it needs the package com.acme.client, which no bundle here has",
                    STAYS,
                    system.dropRefused(
                            "acme.jar",
                            file -> driver.bundle(file, "1.0.3", Map.of("Import-Package", "com.acme.client"))));
            assertRefused(
                    "it brings the driver acme, which is there already, from nodepool.driver.acme 1.0.0",
                    system.dropRefused(
                            "other.jar",
                            file -> driver.bundle(
                                    file, "1.0.0", Map.of("Bundle-SymbolicName", "nodepool.driver.other"))));
            assertRefused(
                    "it is no bundle",
                    STAYS,
                    system.dropRefused("acme.jar", file -> Files.writeString(file, "no zip")));
            assertEquals(0, system.process().count(" is gone"), "it never left");

            assertRefused(
                    "it does not start: ",
                    STAYS,
                    system.dropRefused(
                            "acme.jar",
                            file -> driver.bundle(file, "1.0.4", Map.of("Bundle-Activator", "no.such.Class"))));
            assertRefused(
                    "its driver acme could not be made",
                    STAYS,
                    system.dropRefused("acme.jar", file -> driver.bundleWithoutImplementation(file, "1.0.5")));
            assertServes(system);
            assertEquals(system.nodes(), cloud.running(), "machines and nodes");

            system.drop("1.0.6");
            assertServes(system);
        }
    }

    private static Map<String, String> needs(String api) {
        return Map.of(
                "Import-Package",
                "nodepool.api.config,nodepool.api.driver;version=\"%s\",nodepool.api.node,nodepool.api.quota,nodepool.driver.statemachine"
                        .formatted(api));
    }

    private static void assertServes(AcmeSystem system) throws Exception {
        Ended got = system.nodepool("request", "small", "--wait");
        assertTrue(
                got.output().contains(" fulfilled"),
                () -> got.output() + system.process().all());
    }

    private static void assertRefused(String why, String line) {
        assertTrue(line.contains(why), line);
    }

    private static void assertRefused(String why, String stays, String line) {
        assertRefused(why, line);
        assertTrue(line.endsWith(stays), line);
    }
}
