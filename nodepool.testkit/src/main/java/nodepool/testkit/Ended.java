package nodepool.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that has ended.
 *
 * @param code its exit code
 * @param output what it has printed, errors included
 */
public record Ended(int code, String output) {

    /** Runs a program to its end, with the environment of this one and what is given. */
    public static Ended of(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(Running.DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("did not end: " + String.join(" ", command));
            }
            return new Ended(process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Its output, if it went well. */
    public String orFail() {
        if (code != 0) {
            throw new AssertionError("exit code " + code + ":\n" + output);
        }
        return output;
    }
}
