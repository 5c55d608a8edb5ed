package nodepool.driver.statemachine.keyscan;

import static nodepool.driver.statemachine.keyscan.Scanning.LONG;
import static nodepool.driver.statemachine.keyscan.Scanning.failure;
import static nodepool.driver.statemachine.keyscan.Scanning.get;
import static nodepool.driver.statemachine.keyscan.Scanning.keys;
import static nodepool.driver.statemachine.keyscan.Scanning.scanner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import nodepool.testkit.DeadPort;
import nodepool.testkit.Ended;
import nodepool.testkit.FreePort;
import nodepool.testkit.RealPart;
import nodepool.testkit.SilentPort;
import nodepool.testkit.SshdProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
class KeyScannerOnSshdTest {

    @TempDir
    Path folder;

    @BeforeAll
    static void sshd_must_be_there() throws InterruptedException {
        RealPart.SSHD.require();
    }

    @Test
    void all_keys_are_gathered_in_order_of_preference() throws Exception {
        try (SshdProcess sshd = SshdProcess.start(folder, "rsa", "ecdsa", "ed25519");
                KeyScanner scanner = scanner()) {
            List<String> keys = get(keys(scanner, sshd.port(), LONG));

            List<String> made = sshd.hostKeys();
            assertEquals(List.of(made.get(2), made.get(1), made.get(0)), keys);
            assertEquals(seenBySshKeyscan(sshd.port()), Set.copyOf(keys));
        }
    }

    private static Set<String> seenBySshKeyscan(int port) throws Exception {
        String types = "rsa,ecdsa,ed25519";
        return Ended.of(Map.of(), "ssh-keyscan", "-p", Integer.toString(port), "-t", types, "127.0.0.1")
                .orFail()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @EnumSource(KeyExchange.class)
    void each_key_exchange_alone_is_enough(KeyExchange exchange) throws Exception {
        List<String> only = List.of("KexAlgorithms=" + exchange.method());
        try (SshdProcess sshd = SshdProcess.start(folder, FreePort.find(), only, "ed25519");
                KeyScanner scanner = scanner()) {
            assertEquals(sshd.hostKeys(), get(keys(scanner, sshd.port(), LONG)));
        }
    }

    @Test
    void a_key_exchange_that_is_not_known_is_named_in_the_failure() throws Exception {
        List<String> only = List.of("KexAlgorithms=diffie-hellman-group-exchange-sha256");
        try (SshdProcess sshd = SshdProcess.start(folder, FreePort.find(), only, "ed25519");
                KeyScanner scanner = scanner()) {
            String failure =
                    failure(keys(scanner, sshd.port(), Duration.ofSeconds(5))).getMessage();

            assertTrue(failure.contains("diffie-hellman-group-exchange-sha256"), failure);
        }
    }

    @Test
    void a_host_that_comes_up_late_is_found() throws Exception {
        DeadPort dead = DeadPort.open();
        int port = dead.port();
        try (KeyScanner scanner = scanner()) {
            CompletableFuture<List<String>> scan = keys(scanner, port, LONG);
            failure(keys(scanner, port, Duration.ofMillis(700)));
            assertFalse(scan.isDone());
            dead.close();
            try (SshdProcess sshd = SshdProcess.start(folder, port, List.of(), "ed25519")) {
                assertEquals(sshd.hostKeys(), get(scan));
            }
        }
    }

    @Test
    void connections_that_break_or_hang_are_made_anew() throws Exception {
        try (SshdProcess sshd = SshdProcess.start(folder, "ed25519");
                Door door = new Door(sshd.port(), Door.Welcome.SHUT, Door.Welcome.SILENT, Door.Welcome.SHUT);
                KeyScanner scanner = scanner(10, Duration.ofSeconds(2))) {
            assertEquals(sshd.hostKeys(), get(keys(scanner, door.port(), LONG)));
        }
    }

    @Test
    void hundreds_are_scanned_at_once_and_the_dead_hold_nobody_up() throws Exception {
        int many = 300;
        try (SshdProcess sshd = SshdProcess.start(folder, "ed25519");
                SilentPort silent = SilentPort.open();
                DeadPort dead = DeadPort.open();
                KeyScanner scanner = scanner()) {
            CompletableFuture<List<String>> mute = keys(scanner, silent.port(), LONG);
            CompletableFuture<List<String>> gone = keys(scanner, dead.port(), LONG);
            List<CompletableFuture<List<String>>> scans = IntStream.range(0, many)
                    .mapToObj(i -> keys(scanner, sshd.port(), LONG))
                    .toList();

            for (CompletableFuture<List<String>> scan : scans) {
                assertEquals(sshd.hostKeys(), get(scan));
            }
            assertFalse(mute.isDone());
            assertFalse(gone.isDone());
        }
    }
}
