package nodepool.driver.statemachine.keyscan;

import static nodepool.driver.statemachine.keyscan.Scanning.LONG;
import static nodepool.driver.statemachine.keyscan.Scanning.failure;
import static nodepool.driver.statemachine.keyscan.Scanning.get;
import static nodepool.driver.statemachine.keyscan.Scanning.keys;
import static nodepool.driver.statemachine.keyscan.Scanning.scanner;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.HostKeyScanner.Target;
import nodepool.testkit.DeadPort;
import nodepool.testkit.SilentPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class KeyScannerTest {

    private static final Duration SHORT = Duration.ofSeconds(1);

    @Test
    void without_keys_to_gather_an_accepted_connection_is_enough() throws Exception {
        try (KeyScanner scanner = scanner();
                SilentPort silent = SilentPort.open()) {
            assertEquals(
                    List.of(),
                    get(scanner.scan(new Target("localhost", silent.port(), false, LONG))
                            .toCompletableFuture()));
        }
    }

    @Test
    void a_port_that_refuses_fails_in_time_and_says_so() throws Exception {
        try (KeyScanner scanner = scanner();
                DeadPort dead = DeadPort.open()) {
            CloudException failure = failure(keys(scanner, dead.port(), SHORT));

            assertEquals(Fault.KEY_SCAN, failure.fault());
            assertEquals(
                    "127.0.0.1 port " + dead.port() + " was not scanned within 1 s: Connection refused",
                    failure.getMessage());
        }
    }

    @Test
    void a_port_that_says_nothing_fails_in_time_and_says_so() throws Exception {
        try (KeyScanner scanner = scanner();
                SilentPort silent = SilentPort.open()) {
            CloudException failure = failure(keys(scanner, silent.port(), SHORT));

            assertEquals(Fault.KEY_SCAN, failure.fault());
            assertEquals(
                    "127.0.0.1 port " + silent.port() + " was not scanned within 1 s: no answer", failure.getMessage());
        }
    }

    @Test
    void a_name_that_nobody_has_fails_in_time_and_says_so() throws Exception {
        try (KeyScanner scanner = scanner()) {
            CloudException failure = failure(scanner.scan(new Target("nobody.invalid", 22, true, Duration.ofSeconds(3)))
                    .toCompletableFuture());

            assertEquals(Fault.KEY_SCAN, failure.fault());
            assertTrue(failure.getMessage().startsWith("nobody.invalid port 22 was not scanned within 3 s: "));
        }
    }

    @Test
    void the_fake_driver_s_addresses_have_a_fake_key() throws Exception {
        try (KeyScanner scanner = scanner()) {
            assertEquals(
                    List.of("ssh-rsa FAKEKEY"),
                    get(scanner.scan(new Target("fake", 22, true, SHORT)).toCompletableFuture()));
            assertEquals(
                    List.of(),
                    get(scanner.scan(new Target("fake", 22, false, SHORT)).toCompletableFuture()));
        }
    }

    @Test
    void who_waits_for_its_turn_is_scanned_when_the_one_before_is_done() throws Exception {
        try (KeyScanner scanner = scanner(1, LONG);
                SilentPort silent = SilentPort.open()) {
            CompletableFuture<List<String>> first = keys(scanner, silent.port(), SHORT);
            CompletableFuture<List<String>> second = scanner.scan(new Target("127.0.0.1", silent.port(), false, LONG))
                    .toCompletableFuture();

            assertEquals(List.of(), get(second));
            assertTrue(first.isCompletedExceptionally());
        }
    }

    @Test
    void waiting_for_a_turn_counts() throws Exception {
        try (KeyScanner scanner = scanner(1, LONG);
                SilentPort silent = SilentPort.open()) {
            CompletableFuture<List<String>> first = keys(scanner, silent.port(), LONG);

            CloudException failure = failure(keys(scanner, silent.port(), SHORT));

            assertTrue(failure.getMessage().endsWith("within 1 s: too many others are scanned"), failure.getMessage());
            assertFalse(first.isDone());
        }
    }

    @Test
    void a_cancelled_scan_lets_its_connection_go() throws Exception {
        try (KeyScanner scanner = scanner(1, LONG);
                Door door = new Door(0, Door.Welcome.SILENT)) {
            CompletableFuture<List<String>> scan = keys(scanner, door.port(), LONG);
            try (Socket host = door.silent()) {
                hearGreeting(host);

                scan.cancel(false);

                assertEquals(-1, host.getInputStream().read());
            }
        }
    }

    @Test
    void closing_fails_what_runs_what_waits_and_what_comes_later() throws Exception {
        KeyScanner scanner = scanner(1, LONG);
        try (Door door = new Door(0, Door.Welcome.SILENT)) {
            CompletableFuture<List<String>> running = keys(scanner, door.port(), LONG);
            CompletableFuture<List<String>> waiting = keys(scanner, door.port(), LONG);
            try (Socket host = door.silent()) {
                hearGreeting(host);

                scanner.close();
                CompletableFuture<List<String>> later = keys(scanner, door.port(), LONG);

                for (CompletableFuture<List<String>> scan : List.of(running, waiting, later)) {
                    assertEquals("the key scanner was closed", failure(scan).getMessage());
                }
                assertEquals(-1, host.getInputStream().read());
            }
        }
    }

    /** After this, reading ends with the connection, or fails soon. */
    private static void hearGreeting(Socket host) throws IOException {
        host.setSoTimeout(30_000);
        byte[] greeting = "SSH-2.0-Nodepool\r\n".getBytes(StandardCharsets.US_ASCII);
        assertArrayEquals(greeting, host.getInputStream().readNBytes(greeting.length));
    }
}
