package nodepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import nodepool.cli.World.Ended;
import nodepool.cli.verb.Verb;
import nodepool.cli.verb.Verbs;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every command prints, as files: {@code golden/*.txt} are sessions in a terminal, each on fresh records of a real
 * ZooKeeper. With the system property {@code golden.update} they are written anew, to be read before they are committed.
 */
class GoldenTest {

    private static final Path SESSIONS = Path.of("src/test/resources/golden");
    private static final String PROMPT = "$ nodepool";
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    @TempDir
    private static Path folder;

    private static EmbeddedZooKeeper server;

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedZooKeeper.start(Files.createDirectory(folder.resolve("zk")), 0);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static String resource(String name) throws IOException {
        try (InputStream in = GoldenTest.class.getResourceAsStream("/golden/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @TestFactory
    Stream<DynamicTest> sessions_print_what_they_did() throws IOException {
        return files().map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> replay(file)));
    }

    @Test
    void every_command_is_in_a_session() throws IOException {
        Set<String> missing = Verbs.all().stream().map(Verb::name).collect(Collectors.toCollection(TreeSet::new));
        files().flatMap(GoldenTest::lines)
                .filter(line -> line.startsWith(PROMPT))
                .forEach(line -> missing.removeAll(words(line.substring(PROMPT.length()))));
        assertEquals(Set.of(), missing);
    }

    private static Stream<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(SESSIONS)) {
            return all.filter(file -> file.toString().endsWith(".txt")).sorted().toList().stream();
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void replay(Path file) throws IOException {
        String name = file.getFileName().toString().replace(".txt", "");
        StringBuilder session = new StringBuilder();
        try (World world = new World(server, "/" + name, Files.createDirectory(folder.resolve(name)))) {
            if (!name.startsWith("empty-")) {
                world.populate();
            }
            lines(file)
                    .filter(line -> line.startsWith(PROMPT) || line.startsWith("#"))
                    .forEach(line -> {
                        session.append(line).append('\n');
                        if (line.startsWith(PROMPT)) {
                            session.append(run(world, line.substring(PROMPT.length())));
                        }
                    });
        }
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, session);
        }
        assertEquals(Files.readString(file), session.toString());
    }

    private static String run(World world, String line) {
        String[] lineAndInput = line.split(" <<< ", 2);
        Ended ended = world.nodepool(lineAndInput.length > 1 ? lineAndInput[1] : "", words(lineAndInput[0]));
        String err = ended.err().isEmpty()
                ? ""
                : ended.err().replaceAll("(?m)^", "2> ").replaceAll("2> $", "");
        String out = ended.out().isEmpty() || ended.out().endsWith("\n") ? ended.out() : ended.out() + "\n";
        return out + err + (ended.code() == 0 ? "" : "[exit code " + ended.code() + "]\n") + "\n";
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words;
    }
}
