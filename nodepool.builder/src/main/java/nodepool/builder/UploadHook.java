package nodepool.builder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.builder.dib.ProcessGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The program that is run after an upload.
 *
 * @param program its path, or its name in this process's {@code PATH}
 * @param environment for it
 */
record UploadHook(String program, Map<String, String> environment) {

    private static final Duration LIMIT = Duration.ofHours(1);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.UploadWorker");

    /** Blocks until it has ended. What went wrong, in words; absent if it succeeded. */
    Optional<String> run(String provider, String externalId, Path file) {
        try {
            Path output = Files.createTempFile("nodepool-hook", ".log");
            try {
                return run(List.of(program, provider, externalId, file.toString()), output);
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException failure) {
            return Optional.of("post-upload-hook " + program + " could not be run: " + failure.getMessage());
        }
    }

    private Optional<String> run(List<String> words, Path output) throws IOException {
        ProcessGroup group = ProcessGroup.start(words, environment, output);
        try {
            Optional<Integer> status = group.await(LIMIT);
            String said = new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip();
            if (status.isEmpty()) {
                group.end(GRACE);
                return Optional.of("post-upload-hook " + program + " did not end within " + LIMIT.toMinutes() + " min");
            }
            log.info("post-upload-hook {} ended with {}: {}", program, status.get(), said);
            return status.get() == 0
                    ? Optional.empty()
                    : Optional.of("post-upload-hook " + program + " ended with exit code " + status.get());
        } catch (InterruptedException stop) {
            group.end(GRACE);
            Thread.currentThread().interrupt();
            return Optional.of("post-upload-hook " + program + " was ended because the builder stops");
        }
    }
}
