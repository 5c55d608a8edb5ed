package nodepool.webapp.dashboard;

import static nodepool.webapp.WebScene.done;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;
import nodepool.testkit.RealPart;
import nodepool.webapp.Browser;
import nodepool.webapp.WebScene;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The dashboard as a real browser shows it. */
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

    private Node draft(int number, String comment) {
        return Node.draft(
                        number % 3 == 0 ? NodeState.IN_USE : NodeState.READY,
                        List.of("tiny"),
                        Node.Place.in("east", "main"),
                        Node.Machine.NONE,
                        web.clock.instant())
                .withUse(new Node.Use(
                        Optional.of(comment),
                        Node.Use.NONE.userData(),
                        Optional.empty(),
                        Node.Use.NONE.holdExpiration()));
    }

    private void nodes(int number, String comment) throws Exception {
        List<CompletableFuture<Node>> made = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            made.add(web.stores().nodes().create(draft(i, comment)).toCompletableFuture());
        }
        done(CompletableFuture.allOf(made.toArray(CompletableFuture[]::new)));
        web.await(snapshot -> snapshot.nodes().size() == number);
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

    @Test
    void a_browser_shows_nodes_and_why_a_request_waits() throws Exception {
        RealPart.CHROMIUM.require();
        nodes(3, "kept");
        NodeRequest request = done(web.stores()
                .requests()
                .create(
                        NodeRequest.draft(
                                NodeRequest.Wanted.of(List.of("tiny")),
                                NodeRequest.Asker.named("zuul"),
                                web.clock.instant()),
                        "100",
                        false));
        Account waits = new Account(
                request.id(),
                "east",
                "main",
                "launcher-1",
                new Verdict.Defer(Reason.of(Reason.Code.QUOTA_FULL, "cores: asked 4, 2 free")),
                web.clock.instant(),
                List.of());
        done(web.stores().accounts().write("launcher-1", List.of(waits)));
        try (Browser browser = new Browser(folder)) {
            browser.open(address(), 1400, 1000);
            browser.awaitText("0000000001");
            browser.awaitText("cores: asked 4, 2 free");
            browser.awaitText("3 of 3");
            browser.awaitText("live");
        }
    }

    @Test
    void a_change_is_shown_without_asking() throws Exception {
        RealPart.CHROMIUM.require();
        try (Browser browser = new Browser(folder)) {
            browser.open(address(), 1400, 1000);
            browser.awaitText("0 of 0");
            browser.awaitText("live");
            nodes(1, "kept for a look");
            browser.awaitText("kept for a look");
        }
    }

    @Test
    void html_in_a_comment_is_text() throws Exception {
        RealPart.CHROMIUM.require();
        nodes(1, "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>");
        try (Browser browser = new Browser(folder)) {
            browser.open(address(), 1400, 1000);
            browser.awaitText("<img src=x onerror=");
            assertEquals("Nodepool", browser.value("document.title").asText());
            assertEquals(
                    0,
                    browser.value("document.querySelectorAll('main img').length")
                            .asInt(-1));
        }
    }

    @Test
    void of_ten_thousand_nodes_only_those_in_sight_are_in_the_page() throws Exception {
        RealPart.CHROMIUM.require();
        nodes(10_000, "");
        try (Browser browser = new Browser(folder)) {
            browser.open(address(), 1400, 1000);
            browser.awaitText("10000 of 10000");
            assertTrue(browser.value("document.querySelectorAll('.row').length").asInt() < 60);
            browser.value("const rows = document.querySelector('.rows'); rows.scrollTop = rows.scrollHeight");
            browser.awaitText("0000009999");
            browser.value("const filter = document.getElementById('filter'); filter.value = '0000004711';"
                    + " filter.dispatchEvent(new Event('input'))");
            browser.awaitText("1 of 10000");
        }
    }

    @Test
    void it_fits_a_phone_and_can_be_used_with_the_keyboard() throws Exception {
        RealPart.CHROMIUM.require();
        nodes(20, "");
        try (Browser browser = new Browser(folder)) {
            browser.open(address(), 380, 800);
            browser.awaitText("20 of 20");
            assertTrue(browser.value("document.documentElement.scrollWidth").asInt() <= 380, "wider than a phone");
            browser.value("document.dispatchEvent(new KeyboardEvent('keydown', { key: '/' }))");
            assertEquals("filter", browser.value("document.activeElement.id").asText());
            assertEquals(
                    0,
                    browser.value("[...document.querySelectorAll('button, a, input, [tabindex]')]"
                                    + ".filter((one) => one.tabIndex < 0).length")
                            .asInt(-1));
        }
    }

    private String address() {
        return "http://127.0.0.1:" + web.port() + "/";
    }
}
