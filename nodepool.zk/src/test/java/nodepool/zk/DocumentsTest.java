package nodepool.zk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.json.Stored;
import nodepool.api.node.Node;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node-request-1-launcher-pending",
                "node-request-1-launcher-fulfilled",
                "node-request-1-zuul-revised",
                "node-request-2-min-ready"
            })
    void a_request_is_written_as_it_was_read(String name) throws Exception {
        byte[] bytes = example(name);
        NodeRequest request = Documents.request("200-0000004711", stored(bytes));
        assertArrayEquals(bytes, JsonText.write(Documents.write(request)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node-1-init",
                "node-1-building",
                "node-1-ready",
                "node-2-kubernetes-ready",
                "node-3-metastatic-backing"
            })
    void a_node_is_written_as_it_was_read(String name) throws Exception {
        byte[] bytes = example(name);
        Node node = Documents.node("0000000101", stored(bytes));
        assertEquals(text(bytes), text(JsonText.write(Documents.write(node))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"image-build-1-building", "image-build-1-ready", "image-build-2-failed"})
    void a_build_is_written_as_it_was_read(String name) throws Exception {
        byte[] bytes = example(name);
        assertEquals(text(bytes), text(JsonText.write(Documents.write(Documents.build("noble", "0f", stored(bytes))))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"image-upload-1-uploading", "image-upload-1-ready", "image-upload-2-failed"})
    void an_upload_is_written_as_it_was_read(String name) throws Exception {
        byte[] bytes = example(name);
        assertEquals(
                text(bytes),
                text(JsonText.write(
                        Documents.write(Documents.upload("noble", "0f", "east", "0000000001", stored(bytes))))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"component-pool-1", "component-pool-2-paused"})
    void a_component_is_written_as_it_was_read(String name) throws Exception {
        byte[] bytes = example(name);
        Registration read = Documents.registration(Registration.Kind.POOL, stored(bytes));
        assertEquals(text(bytes), text(JsonText.write(Documents.write(read))));
    }

    @Test
    void numbers_wider_than_64_bits_survive_a_change_of_state() throws Exception {
        NodeRequest request = Documents.request("200-0000004711", stored(example("node-request-1-zuul-created")));
        String written = text(JsonText.write(Documents.write(request.withState(
                nodepool.api.request.RequestState.PENDING, java.time.Instant.ofEpochSecond(1726600031)))));
        assertTrue(written.contains("\"trace_id\": 314159265358979323846264338327950288419"), written);
        assertTrue(
                written.startsWith("{\"state\": \"pending\", \"state_time\": 1726600031.0, \"declined_by\": []"),
                written);
    }

    @Test
    void fields_we_do_not_know_survive_a_write() throws Exception {
        JsonObject doc = JsonText.readObject(example("node-1-ready")).with("build_id", JsonValue.of("kept"));
        Node node = Documents.node("0000000101", stored(JsonText.write(doc)));
        JsonObject written = Documents.write(node.withState(nodepool.api.node.NodeState.USED, java.time.Instant.EPOCH));
        assertEquals(Optional.of(JsonValue.of("kept")), written.get("build_id"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not json",
                "[]",
                "{\"state\": \"requested\", \"node_types\": null}",
                "{\"state\": \"requested\", \"declined_by\": null, \"node_types\": []}",
                "{\"state\": \"requested\", \"node_types\": [], \"relative_priority\": null}",
                "{\"state\": \"requested\", \"node_types\": [null]}",
                "{\"state\": \"requested\", \"node_types\": [\"small\", 1]}",
                "{\"state\": \"strange\", \"node_types\": []}",
                "{\"node_types\": []}"
            })
    void a_bad_request_is_refused_with_a_reason(String text) {
        MalformedDocumentException refused = assertThrows(
                MalformedDocumentException.class,
                () -> Documents.request("200-0000004711", stored(text.getBytes(StandardCharsets.UTF_8))));
        assertTrue(Objects.requireNonNull(refused.getMessage()).length() > 5);
    }

    @Test
    void what_is_not_json_is_told_in_one_line() {
        MalformedDocumentException refused = assertThrows(
                MalformedDocumentException.class,
                () -> JsonText.readObject("{\"state\": requested}".getBytes(StandardCharsets.UTF_8)));
        assertEquals(1, Objects.requireNonNull(refused.getMessage()).lines().count(), refused::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0000004711", "200-1-0000004711", "20-0000004711", "200-4711"})
    void an_id_of_another_form_is_refused(String id) throws Exception {
        Stored stored = stored(example("node-request-1-zuul-created"));
        assertThrows(MalformedDocumentException.class, () -> Documents.request(id, stored));
    }

    private static Stored stored(byte[] bytes) throws MalformedDocumentException {
        return new Stored(JsonText.readObject(bytes), 0, 1, Optional.empty());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] example(String name) throws IOException {
        try (InputStream in = DocumentsTest.class.getResourceAsStream("/examples/" + name + ".json")) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }
}
