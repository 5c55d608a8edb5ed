package nodepool.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.VersionRange;

class AssemblyFileTest {

    private static final Path CNF = Path.of("..", "cnf");

    @TempDir
    Path folder;

    @Test
    void a_bundle_starts_as_the_first_pattern_says_that_matches() throws Exception {
        Path file = write("""
                -runbundles: a.b;version='[1.0.0,1.0.1)',\\
                \ta.c;version='[2,3)',\\
                \tz
                -runbundles+: a.b;startlevel=4,a.*;startlevel=3,z;start=false
                """);

        assertEquals(
                List.of(
                        new AssemblyFile.Entry("a.b", new VersionRange("[1.0.0,1.0.1)"), 4, true),
                        new AssemblyFile.Entry("a.c", new VersionRange("[2,3)"), 3, true),
                        new AssemblyFile.Entry("z", new VersionRange("0"), 1, false)),
                AssemblyFile.read(file).bundles());
    }

    @Test
    void an_included_file_counts_unless_the_file_itself_says_otherwise() throws Exception {
        Files.writeString(folder.resolve("base.bnd"), "-runsystempackages: p;version=1\n-runproperties: a=1,b='x,y'\n");
        Path file = write("-include: ${.}/base.bnd\n-runbundles: x\n-runsystempackages: q\n");

        AssemblyFile assembly = AssemblyFile.read(file);

        assertEquals("q", assembly.systemPackages());
        assertEquals(Map.of("a", "1", "b", "x,y"), assembly.properties());
    }

    @Test
    void an_assembly_without_bundles_is_refused() throws Exception {
        Path file = write("-runbundles:\n");

        assertThrows(IOException.class, () -> AssemblyFile.read(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"launcher", "builder", "quickstart"})
    void what_serves_others_starts_before_what_uses_it(String name) throws Exception {
        AssemblyFile assembly = AssemblyFile.read(CNF.resolve(name + ".bndrun"));

        assertEquals(1, level(assembly, "org.apache.felix.scr"));
        assertTrue(level(assembly, "nodepool.zk") < level(assembly, "nodepool.cli"));
        assertEquals(assembly.highestStartLevel(), level(assembly, "nodepool.deploy"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"launcher", "builder", "quickstart"})
    void the_watched_folder_is_not_watched_before_somebody_judges_what_lies_there(String name) throws Exception {
        AssemblyFile assembly = AssemblyFile.read(CNF.resolve(name + ".bndrun"));

        assertEquals(
                List.of("org.apache.felix.fileinstall"),
                assembly.bundles().stream()
                        .filter(bundle -> !bundle.starts())
                        .map(AssemblyFile.Entry::symbolicName)
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"launcher", "builder"})
    void no_daemon_carries_a_zookeeper_server(String name) throws Exception {
        AssemblyFile assembly = AssemblyFile.read(CNF.resolve(name + ".bndrun"));

        assertTrue(assembly.bundles().stream().noneMatch(b -> b.symbolicName().equals("nodepool.zk.embedded")));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("test.bndrun"), text);
    }

    private static int level(AssemblyFile assembly, String symbolicName) {
        return assembly.bundles().stream()
                .filter(bundle -> bundle.symbolicName().equals(symbolicName))
                .findFirst()
                .orElseThrow()
                .startLevel();
    }
}
