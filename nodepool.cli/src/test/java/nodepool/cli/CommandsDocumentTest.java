package nodepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import nodepool.cli.verb.Verb;
import nodepool.cli.verb.Verbs;
import org.junit.jupiter.api.Test;

/** {@code docs/commands.md} says of every command what its help text says. {@code golden.update} makes it say so. */
class CommandsDocumentTest {

    private static final Path DOCUMENT = Path.of("../docs/commands.md");
    private static final String MARK = "<!-- From here on made from the commands by CommandsDocumentTest. -->\n";

    @Test
    void the_page_on_commands_is_true() throws IOException {
        String written = Files.readString(DOCUMENT);
        String byHand = written.substring(0, written.indexOf(MARK) + MARK.length());
        String expected = byHand + reference();
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(DOCUMENT, expected);
        }
        assertEquals(expected, Files.readString(DOCUMENT));
    }

    private static String reference() {
        StringBuilder text = new StringBuilder();
        for (Verb verb : Verbs.all()) {
            text.append("\n## ")
                    .append(verb.name())
                    .append("\n\n```\n")
                    .append(verb.syntax().help())
                    .append("```\n");
        }
        return text.toString();
    }
}
