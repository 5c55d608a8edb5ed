package nodepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SshdProcessTest {

    @TempDir
    Path folder;

    @Test
    void it_shows_the_keys_it_was_given_and_no_others() throws Exception {
        RealPart.SSHD.require();
        try (SshdProcess sshd = SshdProcess.start(folder, "rsa", "ed25519")) {
            String seen = Ended.of(
                            Map.of(),
                            "ssh-keyscan",
                            "-p",
                            Integer.toString(sshd.port()),
                            "-t",
                            "rsa,ecdsa,ed25519",
                            "127.0.0.1")
                    .orFail();

            assertEquals(
                    new TreeSet<>(sshd.hostKeys()),
                    seen.lines()
                            .filter(line -> !line.startsWith("#"))
                            .map(line -> line.substring(line.indexOf(' ') + 1))
                            .collect(Collectors.toCollection(TreeSet::new)));
            assertTrue(sshd.hostKeys().get(0).startsWith("ssh-rsa "));
        }
    }
}
