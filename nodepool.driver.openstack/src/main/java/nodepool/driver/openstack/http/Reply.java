package nodepool.driver.openstack.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Optional;

/**
 * A service's answer.
 *
 * @param from where it came from
 * @param status of HTTP
 * @param headers of HTTP
 * @param body a missing node if there was none, or none in JSON
 * @param text the body as it came
 */
public record Reply(URI from, int status, HttpHeaders headers, JsonNode body, String text) {

    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    Optional<String> header(String name) {
        return headers.firstValue(name);
    }

    /** Without headers and body: either may hold secrets. */
    @Override
    public String toString() {
        return status + " from " + from;
    }
}
