package nodepool.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The file the start script wrote our process id to. It goes with us, unless it is somebody else's by now. */
record PidFile(Optional<Path> file) {

    static PidFile fromSystemProperty() {
        return new PidFile(
                Optional.ofNullable(System.getProperty("nodepool.pidfile")).map(Path::of));
    }

    void removeAtExit() {
        if (file.isPresent()) {
            Runtime.getRuntime().addShutdownHook(new Thread(this::remove, "remove pid file"));
        }
    }

    void remove() {
        if (file.isEmpty()) {
            return;
        }
        try {
            String own = Long.toString(ProcessHandle.current().pid());
            if (Files.readString(file.get()).trim().equals(own)) {
                Files.delete(file.get());
            }
        } catch (IOException e) {
            System.err.println("pid file " + file.get() + " not removed: " + e);
        }
    }
}
