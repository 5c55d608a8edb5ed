package nodepool.api.verdict;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators read about the codes is what the code says. */
class VerdictsDocumentTest {

    @ParameterizedTest
    @EnumSource
    void every_code_is_documented_with_its_remedy(Reason.Code code) throws IOException {
        String document = Files.readString(Path.of("..", "docs", "verdicts.md"));
        assertTrue(
                document.lines()
                        .anyMatch(line ->
                                line.startsWith("| `" + code + "` |") && line.endsWith("| " + code.remedy() + " |")),
                code + " | " + code.remedy());
    }
}
