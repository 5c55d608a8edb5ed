package nodepool.builder.dib;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import nodepool.api.config.DiskImage;

/**
 * How the image command is called for one build.
 *
 * @param words the program, found and absolute, and its arguments
 * @param environment the whole of it; may hold secrets
 */
public record ImageCommand(List<String> words, Map<String, String> environment) {

    public ImageCommand {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** Without the environment, which may hold secrets. */
    @Override
    public String toString() {
        return String.join(" ", words);
    }

    /**
     * Forms the command of one image.
     *
     * @param output path of the image without its extension
     * @param elementsDir handed on as it is
     * @param own environment of this process
     * @param installation what else it may use
     * @throws ProgramNotFoundException if there is no such program, or the command cannot be split into words
     */
    public static ImageCommand of(
            DiskImage image,
            SortedSet<String> formats,
            Path output,
            Optional<String> elementsDir,
            Map<String, String> own,
            Installation installation)
            throws ProgramNotFoundException {
        Map<String, String> environment = environment(image, output, elementsDir, own);
        List<String> words = new ArrayList<>(split(installation.command(image)));
        words.set(0, find(words.get(0), environment).toString());
        words.add("-x");
        words.add("-t");
        words.add(String.join(",", formats));
        words.add("--checksum");
        words.add("--no-tmpfs");
        if (formats.stream().anyMatch(format -> format.contains("qcow2"))) {
            words.add("--qemu-img-options");
            words.add("compat=0.10");
        }
        words.add("-o");
        words.add(output.toString());
        words.addAll(image.elements());
        return new ImageCommand(words, environment);
    }

    /** What is configured for the image comes last and may change everything before. */
    private static Map<String, String> environment(
            DiskImage image, Path output, Optional<String> elementsDir, Map<String, String> own) {
        Map<String, String> environment = new LinkedHashMap<>(own);
        environment.put("DIB_RELEASE", image.release());
        environment.put("DIB_IMAGE_NAME", image.name());
        environment.put("DIB_IMAGE_FILENAME", output.toString());
        elementsDir.ifPresent(elements -> environment.put("ELEMENTS_PATH", elements));
        environment.putAll(image.environment());
        return environment;
    }

    private static List<String> split(String command) throws ProgramNotFoundException {
        List<String> words;
        try {
            words = ShellWords.split(command);
        } catch (IllegalArgumentException unbalanced) {
            throw new ProgramNotFoundException("dib-cmd: " + unbalanced.getMessage(), unbalanced);
        }
        if (words.isEmpty()) {
            throw new ProgramNotFoundException("dib-cmd is empty");
        }
        return words;
    }

    /** The path of a program, by the {@code PATH} it will see itself; a name with a slash is one already. */
    private static Path find(String program, Map<String, String> environment) throws ProgramNotFoundException {
        if (program.contains("/")) {
            Path path = Path.of(program).toAbsolutePath();
            if (Files.isExecutable(path) && !Files.isDirectory(path)) {
                return path;
            }
            throw new ProgramNotFoundException("dib-cmd: " + program + " is no executable file");
        }
        String path = Optional.ofNullable(environment.get("PATH")).orElse("/usr/bin:/bin");
        for (String folder : path.split(":", -1)) {
            Path candidate = Path.of(folder).resolve(program).toAbsolutePath();
            if (Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
                return candidate;
            }
        }
        throw new ProgramNotFoundException("dib-cmd: there is no " + program + " in PATH " + path);
    }
}
