package nodepool.driver.openstack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader.Result;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads every example file with every driver. An expectation is a line number, a word for the severity, and parts of the path
 * and message in their order, with blanks between.
 */
class ExamplesTest {

    static Stream<Arguments> good() {
        return Stream.of(
                good("01-minimal-static.yaml"),
                good("02-global-all-options.yaml", "30 warning labels[alpine-disabled]: label offered by no pool"),
                good("03-openstack-all-options.yaml", "warning diskimages: No images-dir specified in config."),
                good(
                        "04-diskimage-inheritance.yaml",
                        "warning labels[rolling]: offered by no pool",
                        "warning labels[stable]: offered by no pool"),
                good("05-static-all-options.yaml"),
                good("06-metastatic.yaml", "error providers[slicer]: metastatic: unknown driver; installed are"),
                good(
                        "07-fake-test-priority.yaml",
                        "warning providers[fake-first].driver: fake openstack",
                        "error providers[unit]: test: unknown driver"),
                good(
                        "08-environment-main.yaml",
                        "warning elements-dir: NODEPOOL_UNSET is not set",
                        "warning diskimages[ubuntu]: no format"),
                good(
                        "09-deprecated-keys.yaml",
                        "warning attic-1.lab.example ssh-port connection-port",
                        "warning providers[attic-cloud]: nodepool-id",
                        "warning providers[attic-cloud]: hostname-format"),
                good(
                        "10-other-drivers.yaml",
                        "warning diskimages: No images-dir specified in config.",
                        "error providers[cluster]: kubernetes: unknown driver",
                        "error providers[shift]: openshift: unknown driver",
                        "error providers[shift-flat]: openshiftpods: unknown driver",
                        "error providers[ec2]: aws: unknown driver",
                        "error providers[az]: azure: unknown driver",
                        "error providers[gce]: gce: unknown driver",
                        "error providers[ibm]: ibmvpc: unknown driver; installed are fake, openstack, static"));
    }

    static Stream<Arguments> bad() {
        return Stream.of(
                bad("20-bad-yaml.yaml", "6 error tab indentation min-ready: ^"),
                bad(
                        "21-bad-unknown-keys.yaml",
                        "2 error unknown key zookeper-servers; did you mean zookeeper-servers?",
                        "6 error webapp: listen-address; listen_address",
                        "10 error labels[plain]: min_ready; min-ready?",
                        "14 error diskimages[core]: env_vars; env-vars?",
                        "15 error diskimages[core]: base; parent?",
                        "21 error providers[cloudlet]: max-servers; pool",
                        "24 error providers[cloudlet].cloud-images[ready-made]: unknown key image",
                        "27 error providers[cloudlet].pools[main]: network; networks?",
                        "32 error providers[cloudlet].pools[main].labels[plain]: max-ram"),
                bad(
                        "22-bad-types.yaml",
                        "2 error zookeeper-servers: expected a list",
                        "3 error zookeeper-timeout: -3 more than 0",
                        "5 error webapp.port: a whole number 80 80",
                        "6 error max-hold-age: a whole number 2 days",
                        "8 error labels[12].name: expected text, found 12; add quotes",
                        "9 error labels[12].min-ready: remove the quotes",
                        "11 error labels[flag].min-ready: a whole number true; it would count as 1",
                        "14 error diskimages[core].elements: expected a list",
                        "15 error diskimages[core].formats[#2]: expected text, found 3; add quotes",
                        "16 error diskimages[core].release: 22.10; add quotes, or it becomes 22.1",
                        "17 error diskimages[core].pause: yes or no remove the quotes",
                        "19 error diskimages[core].env-vars.DIB_CHECKSUM: text add quotes"),
                bad(
                        "23-bad-diskimage-graph.yaml",
                        "5 error diskimages[twin]: diskimage twin already defined at 4:",
                        "6 error diskimages[#3]: required key name",
                        "8 error diskimages[orphan]: diskimage orphan has non-existant parent: nobody",
                        "10 error diskimages[hen]: hen -> egg -> hen",
                        "14 error diskimages[selfish]: selfish -> selfish",
                        "21 error diskimages[shape-only].name: shape-only cloudlet abstract entries are never built",
                        "22 error diskimage absent in provider cloudlet is not defined in the main diskimages list"),
                bad(
                        "24-bad-references.yaml",
                        "5 error labels[known]: already used 4:",
                        "6 warning labels[unserved]: offered by no pool",
                        "17 error label unknown-label in provider cloudlet not in top-level labels",
                        "21 error diskimage core does not exist in provider cloudlet but is referenced in label known",
                        "26 error label known in provider cloudlet uses diskimage missing-image which is not defined in"
                                + " the main diskimages list",
                        "28 error pools[second].labels[known]: already used 25:",
                        "29 error cloud-image missing-cloud-image does not exist in provider cloudlet",
                        "31 error pools[second]: already used 23:",
                        "33 error providers[cloudlet]: already used 10:",
                        "38 error diskimage also-missing in provider fake-cloudlet is not defined in the main"),
                bad(
                        "25-bad-openstack.yaml",
                        "6 error providers[no-cloud-key]: required key cloud",
                        "12 error providers[cloudlet].rate: a number brisk",
                        "13 error image-name-format: {build_number} image_name, timestamp, upload_id",
                        "18 error cloud-images[both]: only one of image-id, image-name",
                        "20 error pools[#1]: required key name",
                        "22 error pools[main].max-servers: a whole number many",
                        "24 error labels[a]: one of diskimage, cloud-image",
                        "28 error labels[b]: only one of diskimage, cloud-image",
                        "30 error labels[c]: one of min-ram, flavor-name",
                        "36 error labels[d] {request.nobody} request.tenant_name",
                        "38 error providers[mystery]: warp: unknown driver; installed are fake, openstack, static",
                        "39 error providers[#4]: required key name"),
                bad(
                        "26-bad-static.yaml",
                        "7 error providers[cellar]: unknown key cloud",
                        "11 error nodes[one.lab.example]: required key labels",
                        "12 error nodes[#2]: required key name",
                        "14 warning nodes[two.lab.example] desk lap",
                        "16 error nodes[three.lab.example] attic",
                        "17 error connection-port: 70000 out of range: 1 to 65535",
                        "18 error max-parallel-jobs: 0 out of range: 1",
                        "19 error timeout: a whole number soon",
                        "22 error nodes[four.lab.example] four.lab.example:22 20:"),
                bad(
                        "28-bad-zookeeper-tenants.yaml",
                        "3 error zookeeper-servers[#1]: required key host",
                        "5 error port: 99999 1 to 65535",
                        "6 error chroot: slash",
                        "error zookeeper-servers: different chroots: ci, /other",
                        "10 error zookeeper-tls: required key key",
                        "10 error zookeeper-tls: required key ca",
                        "11 error images-dir: empty",
                        "13 error tenant-resource-limits[#1]: required key tenant-name",
                        "15 error tenant-resource-limits[research].max-servers: a whole number remove the quotes",
                        "16 error tenant-resource-limits[research]: already used 14:",
                        "17 error tenant-resource-limits[research].max-ram: -1 out of range: 0"));
    }

    private static Arguments good(String file, String... remarks) {
        return arguments(file, List.of(remarks));
    }

    private static Arguments bad(String file, String... errors) {
        return arguments(file, List.of(errors));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void a_good_file_is_usable_and_remarked_upon_exactly(String file, List<String> expected) {
        Result result = Examples.read(file);
        List<String> remarks = new ArrayList<>(Examples.remarks(result));
        assertTrue(result.configuration().isPresent(), remarks.toString());
        for (String one : expected) {
            take(one, remarks);
        }
        assertEquals(List.of(), remarks, "remarks that nobody expects");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void a_bad_file_is_refused_with_all_its_mistakes_at_once(String file, List<String> expected) {
        Result result = Examples.read(file);
        List<String> remarks = new ArrayList<>(Examples.remarks(result));
        assertTrue(remarks.stream().anyMatch(one -> one.contains(" error ")), remarks.toString());
        for (String one : expected) {
            take(one, remarks);
        }
        for (Problem problem : result.problems()) {
            assertEquals(Examples.FOLDER.resolve(file).toString(), problem.at().file());
        }
    }

    @Test
    void every_example_file_is_read_by_this_test() {
        String[] files = Examples.FOLDER.toFile().list();
        assertTrue(files != null && files.length > 0);
        List<String> read = Stream.concat(good(), bad())
                .map(arguments -> (String) arguments.get()[0])
                .toList();
        List<String> unread = Arrays.stream(files)
                .filter(file -> !read.contains(file))
                .sorted()
                .toList();
        assertEquals(List.of("08-environment-secure.yaml", "27-bad-metastatic.yaml"), unread);
    }

    @Test
    void images_inherit_along_all_their_parents() {
        Configuration config =
                Examples.read("04-diskimage-inheritance.yaml").configuration().orElseThrow();
        assertEquals(
                List.of("rolling", "stable"), List.copyOf(config.diskImages().keySet()));
        DiskImage rolling = image(config, "rolling");
        assertEquals(List.of("vm", "growroot", "rpm-repos", "rolling-minimal"), rolling.elements());
        assertEquals(Map.of("TMPDIR", "/srv/dib-tmp", "DIB_CHECKSUM", "0", "FS_TYPE", "xfs"), rolling.environment());
        assertEquals(List.of("raw", "qcow2"), rolling.formats());
        assertEquals(List.of("qcow2"), rolling.keepFormats());
        assertTrue(rolling.deleteAfterUpload());
        assertFalse(rolling.paused());
        assertEquals(Duration.ofMinutes(90), rolling.buildTimeout());
        assertEquals(Duration.ofHours(12), rolling.rebuildAge());
        assertEquals("43", rolling.release());
        assertEquals(Optional.of("builder"), rolling.login().username());
        assertEquals("/opt/dib/bin/disk-image-create", rolling.command());
        assertEquals("rolling", rolling.metadata().get("flavour"));
        DiskImage stable = image(config, "stable");
        assertEquals(rolling.elements(), stable.elements());
        assertEquals(rolling.environment(), stable.environment());
        assertTrue(stable.paused());
        assertFalse(stable.deleteAfterUpload());
        assertEquals("10", stable.release());
        assertEquals(Optional.of("/usr/bin/python3"), stable.login().pythonPath());
        assertEquals("rolling", stable.metadata().get("flavour"));
        config.labels().values().forEach(label -> assertEquals(1, label.minReady()));
        assertEquals(List.of("rolling", "stable"), List.copyOf(config.labels().keySet()));
    }

    @Test
    void environment_and_secure_file_are_joined_with_the_main_file() {
        Configuration config =
                Examples.read("08-environment-main.yaml").configuration().orElseThrow();
        assertEquals(
                "private-keeper.lab.example:2999/private",
                config.zookeeper().orElseThrow().connectString());
        assertEquals(
                Optional.of(Path.of("/run/secrets/client.key")),
                config.zookeeper().orElseThrow().tls().map(tls -> tls.key()));
        assertEquals(9005, config.webapp().port());
        assertEquals(Path.of("%(HOME)/logs"), config.builder().buildLogDir());
        DiskImage ubuntu = image(config, "ubuntu");
        assertEquals("24.10", ubuntu.release());
        assertEquals(
                Map.of("REGISTRY_USER", "ci", "REGISTRY_TOKEN", "t0", "SIGNING_KEY", "not-a-real-key"),
                ubuntu.environment());
    }

    @Test
    void servers_get_brackets_and_one_chroot_and_tenants_any_resource() {
        Configuration config =
                Examples.read("02-global-all-options.yaml").configuration().orElseThrow();
        assertEquals(
                "zk-a.lab.example:2281,[2001:db8::17]:2381/ci-pool",
                config.zookeeper().orElseThrow().connectString());
        assertEquals(64, config.tenantLimits().get("research").of("L-DB2E81BA"));
        assertEquals(40, config.tenantLimits().get("research").of("instances"));
        assertEquals(
                Double.POSITIVE_INFINITY, config.tenantLimits().get("guests").of("cores"));
    }

    private static DiskImage image(Configuration config, String name) {
        return Optional.ofNullable(config.diskImages().get(name)).orElseThrow();
    }

    /** Removes the remark that holds all parts in their order. */
    private static void take(String expected, List<String> remarks) {
        Optional<String> found = remarks.stream()
                .filter(remark -> holds(remark, expected.split(" ")))
                .findFirst();
        assertTrue(found.isPresent(), () -> "no \"" + expected + "\" in\n  " + String.join("\n  ", remarks));
        remarks.remove(found.get());
    }

    private static boolean holds(String remark, String[] parts) {
        int from = 0;
        for (String part : parts) {
            int at = part.chars().allMatch(Character::isDigit) && from == 0 && !remark.startsWith(part + " ")
                    ? -1
                    : remark.indexOf(part, from);
            if (at < 0) {
                return false;
            }
            from = at + part.length();
        }
        return true;
    }
}
