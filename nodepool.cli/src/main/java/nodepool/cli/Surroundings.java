package nodepool.cli;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/**
 * What the tool is called from.
 *
 * @param clock of the machine
 * @param in what the operator types
 * @param out for results
 * @param err for everything else
 * @param drawsOnTerminal whether {@code out} is a terminal
 * @param tellsOnTerminal whether {@code err} is a terminal
 */
record Surroundings(
        Clock clock,
        BufferedReader in,
        PrintWriter out,
        PrintWriter err,
        boolean drawsOnTerminal,
        boolean tellsOnTerminal) {

    /** Those of this process. The program that starts the JVM knows best what a terminal is. */
    static Surroundings ofProcess() {
        return new Surroundings(
                Clock.systemUTC(),
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                new PrintWriter(System.out, false, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                Boolean.getBoolean("nodepool.terminal.out"),
                Boolean.getBoolean("nodepool.terminal.err"));
    }
}
