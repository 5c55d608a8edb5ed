package nodepool.itest;

import java.nio.file.Path;

/** The installation as Maven built it. */
final class Installation {

    private Installation() {}

    static Path home() {
        return Path.of(System.getProperty("nodepool.installation", ""));
    }

    /** A program of its {@code bin} folder. */
    static String program(String name) {
        return home().resolve("bin").resolve(name).toString();
    }
}
