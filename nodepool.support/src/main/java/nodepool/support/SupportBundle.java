package nodepool.support;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** What somebody who helps needs to see of this process, as a zip archive. Nothing in it may be secret. */
final class SupportBundle {

    private final List<Part> parts = new ArrayList<>();

    /** @param text made when the archive is written */
    private record Part(String name, Supplier<String> text) {}

    /** With one more file. One that cannot be made has the failure as its text. */
    SupportBundle with(String name, Supplier<String> text) {
        parts.add(new Part(name, text));
        return this;
    }

    /** Writes the archive and leaves the stream open. */
    void write(OutputStream to) throws IOException {
        ZipOutputStream zip = new ZipOutputStream(to, StandardCharsets.UTF_8);
        for (Part part : parts) {
            zip.putNextEntry(new ZipEntry(part.name()));
            zip.write(text(part).getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
        }
        zip.finish();
    }

    /** The edge: somebody who needs help has something broken, and wants the rest all the same. */
    private static String text(Part part) {
        try {
            return part.text().get();
        } catch (UncheckedIOException e) {
            return "cannot be read\n";
        } catch (RuntimeException e) {
            return "cannot be made: " + e.getClass().getName() + "\n";
        }
    }
}
