package nodepool.driver.statemachine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.config.Section;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.LoadContext;
import nodepool.api.image.ImageLogin;
import nodepool.api.json.JsonValue;
import nodepool.api.node.Node;

/**
 * A label as {@link CloudSchema} describes it.
 *
 * @param section where the author's own keys are looked up
 * @param image the cloud image's section, where the author's keys are looked up; absent for a managed image
 */
public record CloudLabel(Section section, Optional<Section> image, boolean hostKeyChecking, Node.Connection connection)
        implements LabelConfig {

    private static final int SSH_PORT = 22;
    private static final int WINRM_PORT = 5986;

    static CloudLabel read(Section provider, Section pool, Section label, LoadContext load) {
        String name = label.require("name");
        if (!load.labels().containsKey(name)) {
            load.error(
                    label,
                    "name",
                    "label %s in provider %s not in top-level labels".formatted(name, provider.require("name")));
        }
        Optional<Section> image = label.text("cloud-image")
                .flatMap(wanted -> provider.sections("cloud-images").stream()
                        .filter(one -> one.require("name").equals(wanted))
                        .findFirst());
        if (label.has("cloud-image") && image.isEmpty()) {
            load.error(
                    label,
                    "cloud-image",
                    "cloud-image %s is not in cloud-images".formatted(label.require("cloud-image")));
        }
        label.text("diskimage")
                .filter(wanted -> !load.diskImages().containsKey(wanted))
                .ifPresent(wanted ->
                        load.error(label, "diskimage", "diskimage %s is not in diskimages".formatted(wanted)));
        boolean checked = label.bool("host-key-checking", pool.bool("host-key-checking", true));
        Optional<ImageLogin> managed = label.text("diskimage")
                .flatMap(wanted -> Optional.ofNullable(load.diskImages().get(wanted)))
                .map(found -> found.login());
        return new CloudLabel(
                label, image, checked, image.map(CloudLabel::login).orElseGet(() -> login(managed)));
    }

    private static Node.Connection login(Section image) {
        String type = image.text("connection-type").orElse("ssh");
        int port = type.equals("winrm") ? WINRM_PORT : SSH_PORT;
        OptionalInt own = image.integer("connection-port");
        return new Node.Connection(
                JsonValue.of(own.orElse(port)),
                Optional.of(type),
                Optional.of(image.text("username").orElse("zuul")),
                image.text("shell-type"),
                Optional.of(image.text("python-path").orElse("auto")),
                List.of());
    }

    private static Node.Connection login(Optional<ImageLogin> managed) {
        return new Node.Connection(
                JsonValue.of(SSH_PORT),
                Optional.of("ssh"),
                managed.flatMap(ImageLogin::username).or(() -> Optional.of("zuul")),
                managed.flatMap(ImageLogin::shellType),
                managed.flatMap(ImageLogin::pythonPath).or(() -> Optional.of("auto")),
                List.of());
    }

    @Override
    public String name() {
        return section.require("name");
    }

    @Override
    public Optional<String> diskImage() {
        return section.text("diskimage");
    }

    @Override
    public Optional<String> cloudImage() {
        return section.text("cloud-image");
    }
}
