package nodepool.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import nodepool.api.config.Problem.Severity;
import nodepool.api.config.Section;
import nodepool.api.config.ZooKeeperConfig;

/**
 * Reads how to reach ZooKeeper. What the secure file says replaces what the main file says.
 *
 * @param top main file
 * @param secret secure file, if it holds anything
 * @param complete whether there is no other file that may name servers
 */
record ZooKeeperReader(Section top, Optional<YamlSection> secret, boolean complete, Problems problems) {

    Optional<ZooKeeperConfig> read() {
        boolean hidden = secret.filter(one -> !one.sections("zookeeper-servers").isEmpty())
                .isPresent();
        Section servers = hidden ? secret.map(Section.class::cast).orElse(top) : top;
        Optional<Section> tls =
                secret.flatMap(one -> one.section("zookeeper-tls")).or(() -> top.section("zookeeper-tls"));
        List<String> addresses = new ArrayList<>();
        Set<String> chroots = new LinkedHashSet<>();
        for (Section one : servers.sections("zookeeper-servers")) {
            String host = one.require("host");
            String literal = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
            addresses.add(literal + ":" + one.integer("port", tls.isPresent() ? 2281 : 2181));
            one.text("chroot").map(text -> chroot(one, text)).ifPresent(chroots::add);
        }
        chroots.remove("");
        if (addresses.isEmpty()) {
            none();
            return Optional.empty();
        }
        if (chroots.size() > 1) {
            problems.error(
                    servers.at("zookeeper-servers"),
                    "zookeeper-servers",
                    "the servers have different chroots" + (hidden ? "" : ": " + String.join(", ", chroots)));
        }
        tls.ifPresent(this::unreadable);
        return Optional.of(new ZooKeeperConfig(
                addresses,
                chroots.stream().findFirst().orElse(""),
                Duration.ofMillis((long) (top.number("zookeeper-timeout").orElse(10.0) * 1000)),
                tls.map(one -> new ZooKeeperConfig.Tls(
                        Path.of(one.require("cert")),
                        Path.of(one.require("key")),
                        Path.of(one.require("ca")),
                        one.bool("verify-hostname", false)))));
    }

    /** A secure file that is not given now may hold them. */
    private void none() {
        if (!top.has("zookeeper-servers") || top.sections("zookeeper-servers").isEmpty()) {
            problems.add(
                    complete ? Severity.ERROR : Severity.WARNING,
                    top.at("zookeeper-servers"),
                    "",
                    "No ZooKeeper servers specified in config.");
        }
    }

    private String chroot(Section server, String text) {
        if (!text.startsWith("/")) {
            problems.error(server.at("chroot"), server.path() + ".chroot", "a chroot starts with a slash");
        }
        return text.replaceFirst("/+$", "");
    }

    /** Said where it matters, by whoever connects; here it is only worth knowing: the file may be meant for another host. */
    private void unreadable(Section tls) {
        for (String key : List.of("cert", "key", "ca")) {
            tls.text(key)
                    .filter(file -> !Files.isReadable(Path.of(file)))
                    .ifPresent(file -> problems.add(
                            Severity.NOTICE, tls.at(key), tls.path() + "." + key, "the file cannot be read here"));
        }
    }
}
