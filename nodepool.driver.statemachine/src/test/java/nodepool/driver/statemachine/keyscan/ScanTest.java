package nodepool.driver.statemachine.keyscan;

import static nodepool.driver.statemachine.keyscan.Scanning.LONG;
import static nodepool.driver.statemachine.keyscan.Scanning.failure;
import static nodepool.driver.statemachine.keyscan.Scanning.get;
import static nodepool.driver.statemachine.keyscan.Scanning.keys;
import static nodepool.driver.statemachine.keyscan.Scanning.scanner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ScanTest {

    private static final String ED25519 = "ssh-ed25519";
    private static final String ECDSA = "ecdsa-sha2-nistp384";
    private static final String DSA = "ssh-dss";

    @Test
    void every_known_type_that_is_offered_is_gathered_once() throws Exception {
        List<String> offer = List.of(DSA, "ssh-unheard-of", ECDSA, ED25519);
        try (ScriptedHost host = new ScriptedHost(Set.of(), List.of(offer));
                KeyScanner scanner = scanner()) {
            assertEquals(List.of(entry(ED25519), entry(ECDSA), entry(DSA)), get(keys(scanner, host.port(), LONG)));
        }
    }

    @Test
    void a_type_that_is_offered_and_never_shown_is_left_out() throws Exception {
        try (ScriptedHost host = new ScriptedHost(Set.of(ECDSA), List.of(List.of(ED25519, ECDSA, DSA)));
                KeyScanner scanner = scanner()) {
            assertEquals(List.of(entry(ED25519), entry(DSA)), get(keys(scanner, host.port(), LONG)));
        }
    }

    @Test
    void a_last_type_that_is_never_shown_does_not_cost_the_others() throws Exception {
        try (ScriptedHost host = new ScriptedHost(Set.of(DSA), List.of(List.of(ED25519, DSA)));
                KeyScanner scanner = scanner()) {
            assertEquals(List.of(entry(ED25519)), get(keys(scanner, host.port(), LONG)));
        }
    }

    @Test
    void a_host_that_shows_none_of_its_keys_fails() throws Exception {
        try (ScriptedHost host = new ScriptedHost(Set.of(ED25519), List.of(List.of(ED25519)));
                KeyScanner scanner = scanner()) {
            String failure =
                    failure(keys(scanner, host.port(), Duration.ofSeconds(5))).getMessage();

            assertTrue(failure.endsWith("was not scanned within 5 s: it closed the connection"), failure);
        }
    }

    @Test
    void a_host_whose_keys_are_made_anew_meanwhile_is_scanned_from_the_beginning() throws Exception {
        try (ScriptedHost host = new ScriptedHost(
                        Set.of(), List.of(List.of("ssh-unheard-of"), List.of(DSA, ED25519), List.of(ECDSA)));
                KeyScanner scanner = scanner()) {
            assertEquals(List.of(entry(ECDSA)), get(keys(scanner, host.port(), LONG)));
        }
    }

    private static String entry(String type) {
        return type + " " + Base64.getEncoder().encodeToString(Messages.key(type));
    }
}
