package nodepool.builder.dib;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The logs of builds: one file each, in one directory.
 *
 * @param directory made when it is needed
 * @param retention logs kept of each image besides the one being written; negative: all
 */
public record BuildLogs(Path directory, int retention) {

    /** Where that build's log is, or will be. */
    public Path file(String image, String buildId) {
        return directory.resolve(image + "-" + buildId + ".log");
    }

    /** Makes room for the log of a new build of that image. */
    public void prepare(String image) throws IOException {
        Files.createDirectories(directory);
        if (retention < 0) {
            return;
        }
        List<Path> surplus =
                ofImage(image).stream().skip(Math.max(1, retention)).toList();
        for (Path log : surplus) {
            Files.deleteIfExists(log);
        }
    }

    /** The newest first. Those of an image whose name merely begins alike are not among them. */
    private List<Path> ofImage(String image) throws IOException {
        Pattern own = Pattern.compile(Pattern.quote(image) + "-(?:[0-9a-f]{32}|[0-9]{10})\\.log(?:\\..*)?");
        Map<Path, FileTime> times = new LinkedHashMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (own.matcher(file.getFileName().toString()).matches()) {
                    times.put(file, Files.getLastModifiedTime(file));
                }
            }
        }
        return times.entrySet().stream()
                .sorted(Map.Entry.<Path, FileTime>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(entry -> entry.getKey().toString(), Comparator.reverseOrder()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Adds a line of ours at the end of a log. */
    public static void append(Path log, String line) throws IOException {
        Files.writeString(
                log, line + "\n", StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
