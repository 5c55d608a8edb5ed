package nodepool.cli.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import nodepool.cli.options.Syntax;
import nodepool.cli.verb.Verb;
import nodepool.cli.verb.Verbs;
import nodepool.testkit.Ended;
import nodepool.testkit.RealPart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion scripts in the shells they are for. */
class CompletionTest {

    private static final List<Syntax> COMMANDS =
            Verbs.all().stream().map(Verb::syntax).toList();

    @TempDir
    private Path folder;

    /** What a shell offers for the last word. */
    private interface Shell {
        Set<String> offers(String... words) throws Exception;
    }

    private Path script(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }

    private static Set<String> set(String... words) {
        return new TreeSet<>(Arrays.asList(words));
    }

    private static Set<String> lines(Ended ended) {
        assertEquals(0, ended.code(), ended.output());
        Set<String> lines = new TreeSet<>();
        ended.output().lines().filter(line -> !line.isBlank()).forEach(lines::add);
        return lines;
    }

    private static void assertCompletes(Shell shell) throws Exception {
        assertEquals(
                set("image-build", "image-delete", "image-list", "image-pause", "image-status", "image-unpause"),
                shell.offers("nodepool", "image-"));
        assertEquals(
                set("provider-drain", "provider-list", "provider-pause", "provider-resume"),
                shell.offers("nodepool", "-c", "file.yaml", "--timeout", "3", "provider-"));
        assertEquals(set("table", "json", "yaml", "csv"), shell.offers("nodepool", "list", "--format", ""));
        assertEquals(set("--watch"), shell.offers("nodepool", "request-list", "--w"));
        assertEquals(set("image"), shell.offers("nodepool", "show", "im"));
        assertEquals(set("fish"), shell.offers("nodepool", "completion", "f"));
        assertEquals(set("--expires"), shell.offers("nodepool", "hold", "42", "--ex"));
    }

    @Test
    void bash_completes_commands_options_and_values() throws Exception {
        RealPart.BASH.require();
        Path script = script("nodepool.bash", BashCompletion.of(COMMANDS));
        String probe = "source " + script + "; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _nodepool;"
                + " printf '%s\\n' \"${COMPREPLY[@]}\"";
        assertCompletes(words -> lines(run(words, "/bin/bash", "--norc", "-c", probe, "bash")));
    }

    @Test
    void zsh_completes_commands_options_and_values() throws Exception {
        RealPart.ZSH.require();
        Path script = script("_nodepool", ZshCompletion.of(COMMANDS));
        String probe = "autoload -U compinit; compinit -D -u; source " + script
                + "; compadd() { shift; print -l -- ${(M)@:#$words[CURRENT]*}; (($#)) }; _files() { true };"
                + " words=(\"$@\"); CURRENT=$#; _nodepool; true";
        assertCompletes(words -> lines(run(words, "/usr/bin/zsh", "-f", "-c", probe, "zsh")));
    }

    @Test
    void fish_completes_commands_options_and_values() throws Exception {
        RealPart.FISH.require();
        Path script = script("nodepool.fish", FishCompletion.of(COMMANDS));
        Map<String, String> environment = Map.of("HOME", folder.toString(), "XDG_CONFIG_HOME", folder.toString());
        assertCompletes(words -> {
            String line = String.join(" ", words);
            Set<String> offers = new TreeSet<>();
            lines(Ended.of(
                            environment,
                            "/usr/bin/fish",
                            "-N",
                            "-c",
                            "source " + script + "; complete -C '" + line + "'"))
                    .forEach(offer -> offers.add(offer.split("\t")[0]));
            return offers;
        });
    }

    @Test
    void every_command_is_offered_by_every_shell() {
        for (String script :
                List.of(BashCompletion.of(COMMANDS), ZshCompletion.of(COMMANDS), FishCompletion.of(COMMANDS))) {
            Verbs.all().forEach(verb -> assertTrue(script.contains(verb.name()), verb.name()));
        }
    }

    private static Ended run(String[] words, String... shell) throws Exception {
        String[] command = Arrays.copyOf(shell, shell.length + words.length);
        System.arraycopy(words, 0, command, shell.length, words.length);
        return Ended.of(Map.of(), command);
    }
}
