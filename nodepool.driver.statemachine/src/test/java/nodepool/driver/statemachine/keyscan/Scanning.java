package nodepool.driver.statemachine.keyscan;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.HostKeyScanner.Target;

/** What tests of the scanner do again and again. */
final class Scanning {

    /** Enough for whatever must succeed, on the slowest machine. */
    static final Duration LONG = Duration.ofMinutes(2);

    private Scanning() {}

    static KeyScanner scanner() throws IOException {
        return new KeyScanner(new SecureRandom(), System::nanoTime);
    }

    static KeyScanner scanner(int atOnce, Duration attemptLimit) throws IOException {
        return new KeyScanner(atOnce, attemptLimit, new SecureRandom(), System::nanoTime);
    }

    static CompletableFuture<List<String>> keys(KeyScanner scanner, int port, Duration within) {
        return scanner.scan(new Target("127.0.0.1", port, true, within)).toCompletableFuture();
    }

    static List<String> get(CompletableFuture<List<String>> scan) throws Exception {
        return scan.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    static CloudException failure(CompletableFuture<List<String>> scan) {
        ExecutionException failure = assertThrows(ExecutionException.class, () -> get(scan));
        return (CloudException) failure.getCause();
    }
}
