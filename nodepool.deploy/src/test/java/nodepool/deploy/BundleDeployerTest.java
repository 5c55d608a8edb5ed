package nodepool.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.slf4j.LoggerFactory;

/** Real folders and real jars, in a real framework. */
class BundleDeployerTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger("nodepool.Deploy");
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();

    @TempDir
    private static Path keys;

    @TempDir
    private Path folder;

    private Path deploy;
    private Path jar;
    private Framework framework;

    @BeforeAll
    static void makeKeys() throws Exception {
        Jar.certificate(keys, "acme");
        Jar.certificate(keys, "mallory");
    }

    @BeforeEach
    void start() throws Exception {
        deploy = Files.createDirectories(folder.resolve("deploy"));
        jar = Jar.bundle(deploy.resolve("acme.jar"), "1.0.0");
        framework = new FrameworkFactory()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE,
                        folder.resolve("framework").toString(),
                        Constants.FRAMEWORK_BSNVERSION,
                        Constants.FRAMEWORK_BSNVERSION_MULTIPLE));
        framework.start();
        said.start();
        logger.addAppender(said);
    }

    @AfterEach
    void stop() throws Exception {
        logger.detachAppender(said);
        framework.stop();
        framework.waitForStop(0);
    }

    @Test
    void a_bundle_in_its_owners_folder_comes_changes_and_goes() throws Exception {
        BundleDeployer deployer = deployer(Optional.empty());

        deployer.install(jar.toFile());
        assertEquals("acme 1.0.0 ACTIVE", present());

        Jar.bundle(jar, "1.0.1");
        deployer.update(jar.toFile());
        assertEquals("acme 1.0.1 ACTIVE", present());

        Files.delete(jar);
        deployer.uninstall(jar.toFile());
        assertEquals("nothing", present());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxr-x", "rwxr-xrwx", "rwxrwxrwx"})
    void nothing_is_taken_from_a_folder_that_others_may_write(String permissions) throws Exception {
        Files.setPosixFilePermissions(deploy, PosixFilePermissions.fromString(permissions));

        deployer(Optional.empty()).install(jar.toFile());

        refused("may write to " + deploy.toRealPath());
        Files.setPosixFilePermissions(deploy, PosixFilePermissions.fromString("rwxr-xr-x"));
        deployer(Optional.empty()).install(jar.toFile());
        assertEquals("acme 1.0.0 ACTIVE", present(), "when the folder is put right");
    }

    @Test
    void nothing_is_taken_from_below_a_folder_that_others_may_write() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        deployer(Optional.empty()).install(jar.toFile());

        refused("everybody may write to " + folder.toRealPath());
    }

    @Test
    void a_link_that_others_could_have_made_is_refused_wherever_it_leads() throws Exception {
        Path safe = Files.createDirectory(folder.resolve("safe"));
        Path target = Files.move(jar, safe.resolve("acme.jar"));
        Files.createSymbolicLink(jar, target);
        Files.setPosixFilePermissions(deploy, PosixFilePermissions.fromString("rwxrwxrwx"));

        deployer(Optional.empty()).install(jar.toFile());

        refused("everybody may write to " + deploy.toRealPath());
    }

    @Test
    void a_bundle_that_others_may_write_is_refused() throws Exception {
        Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-rw-r--"));

        deployer(Optional.empty()).install(jar.toFile());

        refused("may write to " + jar.toRealPath());
    }

    @Test
    void a_bundle_of_somebody_else_is_refused() throws Exception {
        if ("root".equals(System.getProperty("user.name"))) {
            Files.setOwner(
                    jar, jar.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
        Trust trust = new Trust(Optional.empty(), false, new OwnerOnly("nodepool"));

        new BundleDeployer(framework.getBundleContext(), trust).install(jar.toFile());

        refused(", and this runs as nodepool");
    }

    @Test
    void any_folder_will_do_if_the_operator_says_so() throws Exception {
        Files.setPosixFilePermissions(deploy, PosixFilePermissions.fromString("rwxrwxrwx"));
        Trust trust = new Trust(Optional.empty(), true, owner());

        new BundleDeployer(framework.getBundleContext(), trust).install(jar.toFile());

        assertEquals("acme 1.0.0 ACTIVE", present());
    }

    @Test
    void a_bundle_with_a_listed_sum_is_installed_and_any_other_refused() throws Exception {
        String sum = Jar.sha256(jar);
        Path list = list("# the driver of ACME\nsha256 " + sum.toUpperCase(java.util.Locale.ROOT) + " # 1.0.0\n");
        BundleDeployer deployer = deployer(Optional.of(list));

        deployer.install(jar.toFile());
        assertEquals("acme 1.0.0 ACTIVE", present());
        long installed = bundle().orElseThrow().getLastModified();

        Jar.bundle(jar, "1.0.1");
        deployer.update(jar.toFile());

        assertEquals("acme 1.0.0 ACTIVE", present(), "the version that was there stays");
        assertEquals(installed, bundle().orElseThrow().getLastModified(), "untouched");
        said("its SHA-256 " + Jar.sha256(jar) + " is not on the list " + list + "; version 1.0.0 of acme stays");

        Files.writeString(list, "sha256 " + Jar.sha256(jar) + "\n");
        deployer.update(jar.toFile());
        assertEquals("acme 1.0.1 ACTIVE", present(), "the list is read anew");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing yet\n"})
    void an_empty_list_trusts_nobody(String text) throws Exception {
        deployer(Optional.of(list(text))).install(jar.toFile());

        refused("is not on the list");
    }

    @Test
    void without_the_list_that_was_asked_for_nobody_is_trusted() throws Exception {
        deployer(Optional.of(folder.resolve("missing"))).install(jar.toFile());

        refused("the trust list " + folder.resolve("missing") + " cannot be read");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sha256 12ab => a SHA-256 has 64 hexadecimal digits",
                "sha265 12ab => neither sha256 nor certificate: sha265",
                "certificate => which certificate?",
                "certificate missing.pem => missing.pem cannot be read",
                "certificate trusted => trusted is not an X.509 certificate"
            })
    void a_list_with_a_mistake_trusts_nobody_and_says_where_it_is(String mistake) throws Exception {
        String[] parts = mistake.split(" => ");
        Path list = list("# first\nsha256 " + Jar.sha256(jar) + "\n" + parts[0] + "\n");

        deployer(Optional.of(list)).install(jar.toFile());

        refused(list + ":3: ");
        said(parts[1]);
    }

    @Test
    void a_list_that_others_may_write_trusts_nobody() throws Exception {
        Path list = list("sha256 " + Jar.sha256(jar) + "\n");
        Files.setPosixFilePermissions(list, PosixFilePermissions.fromString("rw-rw-rw-"));

        deployer(Optional.of(list)).install(jar.toFile());

        refused("everybody may write to " + list.toRealPath());
    }

    @Test
    void a_bundle_signed_with_a_listed_key_is_installed() throws Exception {
        Files.copy(keys.resolve("acme.pem"), folder.resolve("acme.pem"));
        Jar.sign(jar, keys, "acme");

        deployer(Optional.of(list("certificate acme.pem\n"))).install(jar.toFile());

        assertEquals("acme 1.0.0 ACTIVE", present());
    }

    @Test
    void a_bundle_without_a_signature_is_refused() throws Exception {

        deployer(Optional.of(list("certificate " + keys.resolve("acme.pem") + "\n")))
                .install(jar.toFile());

        refused("driver.txt in it is not signed");
    }

    @Test
    void a_bundle_signed_with_another_key_is_refused() throws Exception {
        Jar.sign(jar, keys, "mallory");

        deployer(Optional.of(list("certificate " + keys.resolve("acme.pem") + "\n")))
                .install(jar.toFile());

        refused("driver.txt in it is signed with a key that is not on the list");
    }

    @Test
    void a_bundle_altered_after_it_was_signed_is_refused() throws Exception {
        Jar.sign(jar, keys, "acme");
        Jar.add(jar, "driver.txt");

        deployer(Optional.of(list("certificate " + keys.resolve("acme.pem") + "\n")))
                .install(jar.toFile());

        refused("its signature does not fit its content");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Smuggled.class", "META-INF/services/nodepool.api.driver.Driver"})
    void a_bundle_with_something_added_after_it_was_signed_is_refused(String name) throws Exception {
        if (name.startsWith("META-INF/services")) {
            try (var inside = java.nio.file.FileSystems.newFileSystem(jar)) {
                Files.createDirectories(inside.getPath("META-INF/services"));
            }
        }
        Jar.sign(jar, keys, "acme");
        Jar.add(jar, name);

        deployer(Optional.of(list("certificate " + keys.resolve("acme.pem") + "\n")))
                .install(jar.toFile());

        refused(name + " in it is not signed");
    }

    @Test
    void what_is_no_bundle_is_refused() throws Exception {
        Files.writeString(jar, "no zip");

        deployer(Optional.empty()).install(jar.toFile());

        refused("it is no bundle: ");
    }

    private Path list(String text) throws Exception {
        return Files.writeString(folder.resolve("trusted"), text);
    }

    private BundleDeployer deployer(Optional<Path> list) {
        return new BundleDeployer(framework.getBundleContext(), new Trust(list, false, owner()));
    }

    private static OwnerOnly owner() {
        return new OwnerOnly(System.getProperty("user.name"));
    }

    private Optional<Bundle> bundle() {
        return Arrays.stream(framework.getBundleContext().getBundles())
                .filter(bundle -> bundle.getBundleId() != 0)
                .findFirst();
    }

    private String present() {
        return bundle().map(bundle -> "%s %s %s"
                        .formatted(
                                bundle.getSymbolicName(),
                                bundle.getVersion(),
                                bundle.getState() == Bundle.ACTIVE ? "ACTIVE" : "not active"))
                .orElse("nothing");
    }

    private void refused(String why) {
        assertEquals("nothing", present());
        said("Bundle " + jar + " is refused: ");
        said(why);
    }

    private void said(String what) {
        List<String> lines =
                said.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        assertTrue(lines.stream().anyMatch(line -> line.contains(what)), () -> what + " in " + lines);
    }
}
