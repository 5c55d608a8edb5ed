package nodepool.webapp.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import nodepool.webapp.WebScene;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of the dashboard. */
class DashboardTest {

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

    @ParameterizedTest
    @CsvSource({
        "/, text/html",
        "/app.js, text/javascript",
        "/store.js, text/javascript",
        "/lib/preact.mjs, text/javascript",
        "/style.css, text/css",
        "/icon.svg, image/svg+xml"
    })
    void its_files_are_served(String path, String type) throws Exception {
        HttpResponse<String> answer = web.get(path);
        assertEquals(200, answer.statusCode());
        assertTrue(answer.headers().firstValue("Content-Type").orElse("").startsWith(type));
    }
}
