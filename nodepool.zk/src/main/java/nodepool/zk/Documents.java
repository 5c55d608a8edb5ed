package nodepool.zk;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageLogin;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.json.Stored;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.NodeMemo;

/**
 * The documents of the wire contract, read and written. Rules for changes: fields may be added; never change the meaning or
 * form of one; remove one only after two releases that tolerate its absence. Fields we do not know survive every write.
 */
final class Documents {

    /** A field of ours in the records of images, which other programs pass over. */
    private static final String REASON = "reason";

    private static final Pattern REQUEST_ID = Pattern.compile("\\d{3}-\\d{10}");

    private Documents() {}

    static NodeRequest request(String id, Stored stored) throws MalformedDocumentException {
        if (!REQUEST_ID.matcher(id).matches()) {
            throw new MalformedDocumentException("has an id that is not three digits, one hyphen and ten digits");
        }
        JsonObject doc = stored.document();
        if (doc.get("relative_priority").filter(JsonValue::isNull).isPresent()) {
            throw new MalformedDocumentException("has null in relative_priority");
        }
        String word = Fields.required(doc, "state");
        RequestState state = RequestState.of(word)
                .orElseThrow(() -> new MalformedDocumentException("has the unknown state " + word));
        return new NodeRequest(
                id,
                new NodeRequest.Wanted(
                        Fields.texts(doc, "node_types"),
                        Fields.bool(doc, "reuse", true),
                        Fields.text(doc, "provider"),
                        Fields.integer(doc, "relative_priority").orElse(0)),
                new NodeRequest.Asker(
                        Fields.text(doc, "requestor"),
                        doc.get("requestor_data").orElse(JsonNull.NULL),
                        Fields.text(doc, "event_id"),
                        Fields.instant(doc, "created_time"),
                        Fields.text(doc, "tenant_name")),
                state,
                time(stored),
                Fields.texts(doc, "declined_by"),
                Fields.texts(doc, "nodes"),
                stored);
    }

    private static Instant time(Stored stored) {
        return Fields.instant(stored.document(), "state_time")
                .or(stored::created)
                .orElse(Instant.EPOCH);
    }

    static JsonObject write(NodeRequest request) {
        NodeRequest.Wanted wanted = request.wanted();
        NodeRequest.Asker asker = request.asker();
        return new Fields.Rewrite(request.stored().document())
                .text("state", Optional.of(request.state().wireName()))
                .time("state_time", Optional.of(request.stateTime()))
                .texts("declined_by", request.declinedBy())
                .texts("node_types", wanted.nodeTypes())
                .texts("nodes", request.nodes())
                .field("reuse", doc -> Fields.bool(doc, "reuse", true), wanted.reuse(), JsonBool::new)
                .text("requestor", asker.requestor())
                .json("requestor_data", asker.data())
                .text("provider", wanted.provider())
                .field(
                        "relative_priority",
                        doc -> Fields.integer(doc, "relative_priority").orElse(0),
                        wanted.relativePriority(),
                        JsonValue::of)
                .text("event_id", asker.eventId())
                .time("created_time", asker.createdTime())
                .text("tenant_name", asker.tenantName())
                .done();
    }

    static Node node(String id, Stored stored) throws MalformedDocumentException {
        JsonObject doc = stored.document();
        String word = Fields.required(doc, "state");
        NodeState state =
                NodeState.of(word).orElseThrow(() -> new MalformedDocumentException("has the unknown state " + word));
        JsonValue port =
                doc.get("connection_port").or(() -> doc.get("ssh_port")).orElse(JsonValue.of(22));
        return new Node(
                id,
                state,
                time(stored),
                types(doc),
                new Node.Place(
                        Fields.text(doc, "provider"),
                        Fields.text(doc, "pool"),
                        Fields.text(doc, "cloud"),
                        Fields.text(doc, "region"),
                        Fields.text(doc, "az"),
                        Fields.text(doc, "host_id")),
                new Node.Allocation(
                        Fields.text(doc, "allocated_to"),
                        Fields.text(doc, "tenant_name"),
                        Fields.text(doc, "requestor")),
                new Node.Machine(
                        Fields.text(doc, "external_id"),
                        Fields.text(doc, "hostname"),
                        Fields.text(doc, "image_id"),
                        Fields.text(doc, "launcher"),
                        Fields.instant(doc, "created_time"),
                        Fields.resources(doc, "resources"),
                        Fields.integer(doc, "slot"),
                        doc.get("attributes").orElse(JsonNull.NULL),
                        doc.get("driver_data").orElse(JsonNull.NULL)),
                new Node.Addresses(
                        Fields.text(doc, "interface_ip"),
                        Fields.text(doc, "public_ipv4"),
                        Fields.text(doc, "private_ipv4"),
                        Fields.text(doc, "public_ipv6")),
                new Node.Connection(
                        port,
                        Fields.text(doc, "connection_type"),
                        doc.get("username").isPresent() ? Fields.text(doc, "username") : Optional.of("zuul"),
                        Fields.text(doc, "shell_type"),
                        Fields.text(doc, "python_path"),
                        Fields.texts(doc, "host_keys")),
                new Node.Use(
                        Fields.text(doc, "comment"),
                        doc.get("user_data").orElse(JsonNull.NULL),
                        Fields.text(doc, "hold_job"),
                        Fields.seconds(doc, "hold_expiration")),
                stored);
    }

    /** Labels; before 2018 a single one without a list. */
    private static List<String> types(JsonObject doc) throws MalformedDocumentException {
        Optional<String> single = doc.get("type").flatMap(JsonValue::asText);
        return single.isPresent() ? List.of(single.get()) : Fields.texts(doc, "type");
    }

    static JsonObject write(Node node) {
        Node.Machine machine = node.machine();
        Node.Connection connection = node.connection();
        return new Fields.Rewrite(node.stored().document())
                .text("state", Optional.of(node.state().wireName()))
                .time("state_time", Optional.of(node.stateTime()))
                .text("cloud", node.place().cloud())
                .text("provider", node.place().provider())
                .text("pool", node.place().pool())
                .texts("type", node.types())
                .text("allocated_to", node.allocation().allocatedTo())
                .text("az", node.place().az())
                .text("region", node.place().region())
                .text("public_ipv4", node.addresses().publicIpv4())
                .text("private_ipv4", node.addresses().privateIpv4())
                .text("public_ipv6", node.addresses().publicIpv6())
                .text("host_id", node.place().hostId())
                .text("interface_ip", node.addresses().interfaceIp())
                .json("connection_port", connection.port())
                .json("ssh_port", sshPort(node))
                .text("image_id", machine.imageId())
                .text("launcher", machine.launcher())
                .time("created_time", machine.createdTime())
                .text("external_id", machine.externalId())
                .text("hostname", machine.hostname())
                .text("comment", node.use().comment())
                .json("user_data", node.use().userData())
                .text("hold_job", node.use().holdJob())
                .texts("host_keys", connection.hostKeys())
                .text("username", connection.username())
                .text("connection_type", connection.type())
                .text("shell_type", connection.shellType())
                .field(
                        "hold_expiration",
                        doc -> Fields.seconds(doc, "hold_expiration"),
                        node.use().holdExpiration(),
                        Fields::of)
                .field("resources", doc -> Fields.resources(doc, "resources"), machine.resources(), Fields::ofResources)
                .field("slot", doc -> Fields.integer(doc, "slot"), machine.slot(), Fields::of)
                .json("attributes", machine.attributes())
                .text("python_path", connection.pythonPath())
                .text("tenant_name", node.allocation().tenantName())
                .json("driver_data", machine.driverData())
                .text("requestor", node.allocation().requestor())
                .done();
    }

    /** A duplicate for old readers, kept as it came while the port is the same. */
    private static JsonValue sshPort(Node node) {
        JsonObject old = node.stored().document();
        boolean same = old.get("connection_port")
                .filter(node.connection().port()::equals)
                .isPresent();
        return same
                ? old.get("ssh_port").orElse(node.connection().port())
                : node.connection().port();
    }

    static ImageBuild build(String image, String id, Stored stored) throws MalformedDocumentException {
        JsonObject doc = stored.document();
        List<String> formats = Fields.text(doc, "formats")
                .map(joined -> Arrays.asList(joined.split(",", -1)))
                .orElse(List.of());
        return new ImageBuild(
                image,
                id,
                imageState(doc),
                time(stored),
                Fields.text(doc, "builder"),
                Fields.text(doc, "builder_id"),
                formats,
                login(doc),
                Fields.text(doc, REASON),
                stored);
    }

    static JsonObject write(ImageBuild build) {
        Fields.Rewrite out = new Fields.Rewrite(build.stored().document())
                .text("state", Optional.of(build.state().wireName()))
                .time("state_time", Optional.of(build.stateTime()));
        if (build.builder().isPresent()) {
            out.text("builder", build.builder());
        }
        if (build.builderId().isPresent()) {
            out.text("builder_id", build.builderId());
        }
        if (!build.formats().isEmpty()) {
            out.text("formats", Optional.of(String.join(",", build.formats())));
        }
        return because(login(out, build.login()), build.reason());
    }

    static ImageUpload upload(String image, String build, String provider, String id, Stored stored)
            throws MalformedDocumentException {
        JsonObject doc = stored.document();
        return new ImageUpload(
                image,
                build,
                provider,
                id,
                imageState(doc),
                time(stored),
                Fields.text(doc, "external_id"),
                Fields.text(doc, "external_name"),
                Fields.text(doc, "format"),
                login(doc),
                Fields.text(doc, REASON),
                stored);
    }

    static JsonObject write(ImageUpload upload) {
        Fields.Rewrite out = new Fields.Rewrite(upload.stored().document())
                .text("state", Optional.of(upload.state().wireName()))
                .time("state_time", Optional.of(upload.stateTime()))
                .text("external_id", upload.externalId())
                .text("external_name", upload.externalName())
                .text("format", upload.format());
        return because(login(out, upload.login()), upload.reason());
    }

    private static JsonObject because(Fields.Rewrite out, Optional<String> reason) {
        return reason.isPresent() ? out.text(REASON, reason).done() : out.done();
    }

    private static ImageState imageState(JsonObject doc) throws MalformedDocumentException {
        String word = Fields.required(doc, "state");
        return ImageState.of(word).orElseThrow(() -> new MalformedDocumentException("has the unknown state " + word));
    }

    private static ImageLogin login(JsonObject doc) {
        return new ImageLogin(
                doc.get("username").isPresent() ? Fields.text(doc, "username") : Optional.of("zuul"),
                doc.get("python_path").isPresent() ? Fields.text(doc, "python_path") : Optional.of("/usr/bin/python2"),
                Fields.text(doc, "shell_type"));
    }

    private static Fields.Rewrite login(Fields.Rewrite out, ImageLogin login) {
        return out.text("username", login.username())
                .text("python_path", login.pythonPath())
                .text("shell_type", login.shellType());
    }

    static Registration registration(Registration.Kind kind, Stored stored) throws MalformedDocumentException {
        JsonObject doc = stored.document();
        Optional<Registration.Pool> pool = Optional.empty();
        if (kind == Registration.Kind.POOL) {
            pool = Optional.of(new Registration.Pool(
                    Fields.text(doc, "id").orElse(""),
                    Fields.text(doc, "name"),
                    Fields.text(doc, "provider_name").orElse("unknown"),
                    Fields.texts(doc, "supported_labels"),
                    Fields.integer(doc, "priority").orElse(100),
                    Fields.bool(doc, "paused", false)));
        }
        return new Registration(
                Fields.required(doc, "hostname"),
                kind,
                Fields.integer(doc, "model_api").orElseThrow(() -> new MalformedDocumentException("has no model_api")),
                Fields.text(doc, "state").orElse("stopped"),
                Fields.text(doc, "version"),
                pool);
    }

    static JsonObject write(Registration registration) {
        Map<String, JsonValue> doc = new LinkedHashMap<>();
        doc.put("hostname", JsonValue.of(registration.hostname()));
        doc.put("kind", JsonValue.of(registration.kind().wireName()));
        doc.put("model_api", JsonValue.of(registration.modelApi()));
        doc.put("state", JsonValue.of(registration.state()));
        doc.put("version", Fields.of(registration.version()));
        registration.pool().ifPresent(pool -> {
            doc.put("id", JsonValue.of(pool.id()));
            doc.put("name", Fields.of(pool.name()));
            doc.put("provider_name", JsonValue.of(pool.provider()));
            doc.put("supported_labels", JsonArray.ofTexts(pool.supportedLabels()));
            doc.put("priority", JsonValue.of(pool.priority()));
            doc.put("paused", new JsonBool(pool.paused()));
        });
        return JsonText.sorted(new JsonObject(doc));
    }

    static NodeMemo memo(JsonObject doc) throws MalformedDocumentException {
        Map<String, String> steps = new LinkedHashMap<>();
        if (doc.get("steps").orElse(JsonNull.NULL) instanceof JsonObject object) {
            object.members().forEach((name, value) -> value.asText().ifPresent(text -> steps.put(name, text)));
        }
        return new NodeMemo(
                phase(Fields.required(doc, "phase")),
                Fields.integer(doc, "attempt").orElse(1),
                Fields.instant(doc, "since").orElse(Instant.EPOCH),
                Fields.text(doc, "external_id"),
                steps);
    }

    private static NodeMemo.Phase phase(String word) throws MalformedDocumentException {
        for (NodeMemo.Phase phase : NodeMemo.Phase.values()) {
            if (phase.name().equals(word)) {
                return phase;
            }
        }
        throw new MalformedDocumentException("has an unknown phase " + word);
    }

    static JsonObject write(NodeMemo memo) {
        Map<String, JsonValue> steps = new LinkedHashMap<>();
        memo.steps().forEach((name, value) -> steps.put(name, JsonValue.of(value)));
        Map<String, JsonValue> doc = new LinkedHashMap<>();
        doc.put("phase", JsonValue.of(memo.phase().name()));
        doc.put("attempt", JsonValue.of(memo.attempt()));
        doc.put("since", Fields.of(memo.since()));
        doc.put("external_id", Fields.of(memo.externalId()));
        doc.put("steps", new JsonObject(steps));
        return new JsonObject(doc);
    }
}
