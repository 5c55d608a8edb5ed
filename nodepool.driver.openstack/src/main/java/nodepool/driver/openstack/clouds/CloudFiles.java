package nodepool.driver.openstack.clouds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds and reads the files. For each of {@code clouds}, {@code secure} and {@code clouds-public} the first one that is there
 * and may be read counts, in the order of the folders, then of the suffixes.
 */
public final class CloudFiles {

    private static final List<String> SUFFIXES = List.of(".yaml", ".yml", ".json");
    private static final Path XDG_SYSTEM = Path.of("/etc/xdg");
    private static final Path SYSTEM = Path.of("/etc");
    private static final String FOLDER = "openstack";

    private final Map<String, String> environment;
    private final Path workingFolder;
    private final Path home;

    /**
     * @param workingFolder searched first
     * @param home of the user
     */
    public CloudFiles(Map<String, String> environment, Path workingFolder, Path home) {
        this.environment = Map.copyOf(environment);
        this.workingFolder = workingFolder;
        this.home = home;
    }

    /** Of this process. */
    public static CloudFiles ofThisProcess() {
        return new CloudFiles(System.getenv(), Path.of(""), Path.of(System.getProperty("user.home", "/")));
    }

    /**
     * What was read.
     *
     * @param clouds {@code clouds.yaml} with {@code secure.yaml} over it; empty if there is none
     * @param vendors {@code clouds-public.yaml}; empty if there is none
     * @param environment the variables
     * @param files that were read
     * @param folders that were searched
     */
    public record Content(
            ObjectNode clouds,
            ObjectNode vendors,
            Map<String, String> environment,
            List<Path> files,
            List<Path> folders) {
        public Content {
            environment = Map.copyOf(environment);
            files = List.copyOf(files);
            folders = List.copyOf(folders);
        }
    }

    /** The variables of the process. */
    public Map<String, String> environment() {
        return environment;
    }

    /** Reads them now. */
    public Content read() throws CloudsException {
        Optional<Path> clouds = find("clouds", "OS_CLIENT_CONFIG_FILE");
        Optional<Path> secure = find("secure", "OS_CLIENT_SECURE_FILE");
        Optional<Path> vendors = find("clouds-public", "OS_CLIENT_VENDOR_FILE");
        ObjectNode merged = parsed(clouds);
        Trees.merge(merged, parsed(secure));
        List<Path> read = new ArrayList<>();
        List.of(clouds, secure, vendors).forEach(file -> file.ifPresent(read::add));
        return new Content(merged, parsed(vendors), environment, read, List.copyOf(folders()));
    }

    private Optional<Path> find(String name, String variable) {
        List<Path> candidates = new ArrayList<>();
        Optional.ofNullable(environment.get(variable))
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> candidates.add(workingFolder.resolve(text)));
        for (Path folder : folders()) {
            SUFFIXES.forEach(suffix -> candidates.add(folder.resolve(name + suffix)));
        }
        return candidates.stream()
                .filter(file -> Files.isRegularFile(file) && Files.isReadable(file))
                .findFirst();
    }

    private Set<Path> folders() {
        Path ordinary = home.resolve(".config");
        Path configured = Optional.ofNullable(environment.get("XDG_CONFIG_HOME"))
                .filter(text -> !text.isEmpty())
                .map(Path::of)
                .orElse(ordinary);
        Set<Path> folders = new LinkedHashSet<>();
        folders.add(workingFolder);
        folders.add(configured.resolve(FOLDER));
        folders.add(ordinary.resolve(FOLDER));
        folders.add(XDG_SYSTEM.resolve(FOLDER));
        folders.add(SYSTEM.resolve(FOLDER));
        return folders;
    }

    private static ObjectNode parsed(Optional<Path> file) throws CloudsException {
        if (file.isEmpty()) {
            return Trees.empty();
        }
        try {
            return Trees.parse(Files.readString(file.get()));
        } catch (IOException | CloudsException wrong) {
            throw new CloudsException(file.get() + ": " + wrong.getMessage(), wrong);
        }
    }
}
