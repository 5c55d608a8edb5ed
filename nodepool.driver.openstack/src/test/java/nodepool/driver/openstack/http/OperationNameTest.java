package nodepool.driver.openstack.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names under which calls are counted. */
class OperationNameTest {

    @ParameterizedTest
    @CsvSource({
        "/v2.1/servers, servers",
        "/compute/v2.1/servers/detail, servers_detail",
        "/v2.1/servers/6a1c, server",
        "/v2.1/servers/6a1c/action, server_action",
        "/v2.1/limits, limits",
        "/v2.0/networks, networks",
        "/v2.0/floatingips/6a1c.json, floatingip",
        "/v2/images/6a1c/file, image_file",
        "/v3/0123456789abcdef0123456789abcdef/volumes/detail, volumes_detail",
        "/v3/0123456789abcdef0123456789abcdef/volumes/6a1c/metadata, volume_metadata",
        "/identity/v3/auth/tokens, tokens",
        "/v2.1/, discovery",
        "/, discovery"
    })
    void a_request_is_named_after_its_path_without_ids(String path, String name) {
        assertEquals(name, OperationName.of(path));
    }
}
