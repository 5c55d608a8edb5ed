package nodepool.webapp.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/** Writes answers, or says that the client has them already. */
final class Sending {

    private static final int TAG_BYTES = 15;

    private Sending() {}

    static void send(Answer answer, HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer.headers().forEach(response::setHeader);
        response.setHeader("Vary", "Accept");
        boolean unchanged = answer.status() == 200 && cached(answer, request, response);
        if (answer.made().isEmpty()) {
            response.setHeader("Cache-Control", "no-store");
        }
        if (unchanged) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        response.setStatus(answer.status());
        response.setContentType(answer.type());
        response.setContentLength(answer.body().length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(answer.body());
        }
    }

    /** Whether what the client has kept is what it would be sent. */
    private static boolean cached(Answer answer, HttpServletRequest request, HttpServletResponse response) {
        if (answer.made().isEmpty()) {
            return false;
        }
        Instant made = answer.made().get();
        String tag = tag(answer.body());
        response.setHeader("ETag", tag);
        response.setHeader("Cache-Control", "max-age=1, public");
        response.setDateHeader("Last-Modified", made.toEpochMilli());
        response.setDateHeader("Expires", made.plusSeconds(1).toEpochMilli());
        String known = request.getHeader("If-None-Match");
        if (known != null) {
            return known.trim().equals("*")
                    || Arrays.stream(known.split(","))
                            .map(one -> one.trim().replaceFirst("^W/", ""))
                            .anyMatch(tag::equals);
        }
        return since(request) >= made.getEpochSecond();
    }

    /** Seconds of {@code If-Modified-Since}; before all time if it is missing or makes no sense. */
    private static long since(HttpServletRequest request) {
        try {
            long millis = request.getDateHeader("If-Modified-Since");
            return millis < 0 ? Long.MIN_VALUE : millis / 1000;
        } catch (IllegalArgumentException notADate) {
            return Long.MIN_VALUE;
        }
    }

    private static String tag(byte[] body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            byte[] start = new byte[TAG_BYTES];
            ByteBuffer.wrap(digest).get(start);
            return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(start) + '"';
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
