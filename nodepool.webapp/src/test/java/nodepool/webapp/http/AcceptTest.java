package nodepool.webapp.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of content negotiation, line by line. */
class AcceptTest {

    @Test
    void no_header_means_text() {
        assertEquals(Optional.of(Accept.Form.TEXT), Accept.form(Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "*/* | TEXT",
                "text/plain | TEXT",
                "text/* | TEXT",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 | TEXT",
                "application/json | JSON",
                "application/* | JSON",
                "application/json, text/plain | TEXT",
                "text/plain, application/json | TEXT",
                "application/json, text/plain, */* | TEXT",
                "application/json, */*;q=0.5 | JSON",
                "application/json;q=0.9, text/plain;q=0.5 | JSON",
                "application/json;charset=utf-8 | JSON",
                "\"\" | TEXT",
                "not a header | TEXT",
                "application/json;q=high | TEXT",
            })
    void the_best_offer_wins_and_of_equals_the_earlier(String header, Accept.Form form) {
        assertEquals(Optional.of(form), Accept.form(Optional.ofNullable(header)));
    }

    @ParameterizedTest
    @CsvSource({"image/png", "application/vnd.x+json", "text/plain;q=0"})
    void nothing_acceptable_is_said(String header) {
        assertEquals(Optional.empty(), Accept.form(Optional.of(header)));
    }
}
