package nodepool.webapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that mean no good, on real connections. */
class RobustnessTest {

    @TempDir
    private Path folder;

    private WebScene web;

    @BeforeEach
    void open() throws Exception {
        web = new WebScene(folder);
    }

    @AfterEach
    void close() {
        web.close();
    }

    private Socket connect(String sent) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), web.port());
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private static String firstLine(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                .readLine();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /../../etc/passwd HTTP/1.1",
                "GET /lib/%2e%2e/%2e%2e/META-INF/MANIFEST.MF HTTP/1.1",
                "GET /lib/..%2fapp.js HTTP/1.1",
                "GET /lib//preact.mjs HTTP/1.1",
                "GET /node-list%00 HTTP/1.1",
                "GET /WEB-INF/web.xml HTTP/1.1",
                "GET http://elsewhere/nonsense HTTP/1.1",
                "nonsense"
            })
    void questions_with_tricks_get_nothing(String line) throws Exception {
        try (Socket socket = connect(line + "\r\nHost: localhost\r\n\r\n")) {
            String answer = firstLine(socket);
            assertTrue(answer.matches("HTTP/1.1 40[04] .*"), line + ": " + answer);
        }
    }

    @Test
    void a_thousand_silent_and_half_sent_questions_do_not_keep_others_waiting() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 1_000; i++) {
                sockets.add(connect(i % 2 == 0 ? "" : "GET /node-list HTTP/1.1\r\nHost: localhost\r\nX-Slow: "));
            }
            assertEquals(200, web.get("/node-list").statusCode());
            assertEquals(200, web.get("/api/v1/nodes").statusCode());
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void endless_headers_are_cut_off() throws Exception {
        try (Socket socket =
                connect("GET /node-list HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "a".repeat(20_000) + "\r\n\r\n")) {
            assertTrue(firstLine(socket).contains(" 431 "));
        }
    }

    @Test
    void a_body_is_not_waited_for() throws Exception {
        try (Socket socket =
                connect("POST /node-list HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\nbegin")) {
            assertTrue(firstLine(socket).contains(" 405 "));
        }
    }

    @Test
    void unknown_parameters_make_no_new_answers_to_keep() throws Exception {
        String first =
                web.get("/node-list").headers().firstValue("Last-Modified").orElseThrow();
        web.clock.advance(Duration.ofMillis(500));
        for (int i = 0; i < 100; i++) {
            String later = web.get("/node-list?nonsense=" + i)
                    .headers()
                    .firstValue("Last-Modified")
                    .orElseThrow();
            assertEquals(first, later);
        }
    }
}
