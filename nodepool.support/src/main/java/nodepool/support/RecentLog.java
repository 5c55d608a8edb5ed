package nodepool.support;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The end of a log file. What is logged holds no secrets. */
final class RecentLog {

    /** Bytes that are kept. */
    static final int LONGEST = 1 << 20;

    private RecentLog() {}

    /** From the first whole line of the last {@value #LONGEST} bytes. */
    static String of(Path file) {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, log.length() - LONGEST);
            log.seek(from);
            byte[] bytes = new byte[(int) Math.min(LONGEST, log.length() - from)];
            log.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            return from == 0 ? text : text.substring(text.indexOf('\n') + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
