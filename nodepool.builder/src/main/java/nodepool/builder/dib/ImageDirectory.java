package nodepool.builder.dib;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import nodepool.builder.decision.LocalBuild;

/**
 * Where the image command leaves its files: each begins with the name of the image, a hyphen and the build's id. The builder
 * has the directory for itself.
 *
 * @param path of the directory
 */
public record ImageDirectory(Path path) {

    private static final Pattern HEX = Pattern.compile("[0-9a-f]+");

    /** The path of an image without its extension, which is what the command is given. */
    public Path output(String image, String buildId) {
        return path.resolve(image + "-" + buildId);
    }

    /** The file of an image in that format. */
    public Path file(String image, String buildId, String format) {
        String extension = format.equals("squashfs") ? "squash" : format;
        return path.resolve(image + "-" + buildId + "." + extension);
    }

    /** The formats that are wanted and not there. */
    public List<String> missing(String image, String buildId, SortedSet<String> formats) {
        return formats.stream()
                .filter(format -> !Files.isRegularFile(file(image, buildId, format)))
                .toList();
    }

    /** Everything in it that belongs to a build. */
    public List<LocalBuild> builds() throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return LocalBuild.of(
                    entries.map(entry -> entry.getFileName().toString()).toList());
        }
    }

    /** The checksum that the command has left beside a file; its first word of that many hex digits. */
    public static Optional<String> checksum(Path file, String kind, int digits) throws IOException {
        Path beside = file.resolveSibling(file.getFileName() + "." + kind);
        try {
            String text = Files.readString(beside, StandardCharsets.UTF_8);
            String sum = text.substring(0, Math.min(digits, text.length())).toLowerCase(Locale.ROOT);
            return sum.length() == digits && HEX.matcher(sum).matches() ? Optional.of(sum) : Optional.empty();
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /** Bytes that a file occupies, which is less than its length if it has holes; its length where nobody can tell. */
    public static long allocated(Path file) throws IOException {
        try {
            Process stat = new ProcessBuilder("stat", "-L", "-c", "%b %B", file.toString()).start();
            String answer = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            String[] numbers = answer.split(" ", 2);
            return Long.parseLong(numbers[0]) * Long.parseLong(numbers[1]);
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException cannotTell) {
            return Files.size(file);
        }
    }

    /** Removes entries of this directory, files and trees; those that are gone already are fine. */
    public void delete(Collection<String> names) throws IOException {
        for (String name : names) {
            Path entry = path.resolve(name);
            if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                Files.walkFileTree(entry, new Removal());
            } else {
                Files.deleteIfExists(entry);
            }
        }
    }

    /** Removes everything of one build. */
    public void delete(String image, String buildId) throws IOException {
        for (LocalBuild build : builds()) {
            if (build.image().equals(image) && build.id().equals(buildId)) {
                delete(build.names());
            }
        }
    }

    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, java.io.IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
