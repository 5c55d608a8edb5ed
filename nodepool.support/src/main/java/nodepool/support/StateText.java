package nodepool.support;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import nodepool.api.node.Node;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;

/** The shared state without what users and clouds put into it, which may be secret: no addresses, user data, attributes. */
final class StateText {

    private StateText() {}

    static String of(Snapshot snapshot) {
        return Stream.of(
                        snapshot.components().stream().map(StateText::component),
                        snapshot.requests().stream().map(StateText::request),
                        snapshot.nodes().stream().map(node -> node(node, snapshot.isLocked(node.id()))),
                        snapshot.images().stream().map(image -> image(image, snapshot)),
                        snapshot.malformed().stream()
                                .map(entry -> "malformed %s %s".formatted(entry.kind(), entry.path())))
                .flatMap(lines -> lines)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String component(Registration component) {
        return "%s %s %s%s"
                .formatted(
                        component.kind().wireName(),
                        component.hostname(),
                        component.state(),
                        component
                                .pool()
                                .map(pool -> " %s %s %s%s"
                                        .formatted(
                                                pool.id(),
                                                pool.provider(),
                                                pool.supportedLabels(),
                                                pool.paused() ? " paused" : ""))
                                .orElse(""));
    }

    private static String request(NodeRequest request) {
        return "request %s %s since %s wants %s declined by %s"
                .formatted(
                        request.id(),
                        request.state().wireName(),
                        request.stateTime(),
                        request.wanted().nodeTypes(),
                        request.declinedBy());
    }

    private static String node(Node node, boolean locked) {
        return "node %s %s since %s %s at %s/%s for %s%s"
                .formatted(
                        node.id(),
                        node.state().wireName(),
                        node.stateTime(),
                        node.types(),
                        node.place().provider().orElse("-"),
                        node.place().pool().orElse("-"),
                        node.allocation().allocatedTo().orElse("-"),
                        locked ? " locked" : "");
    }

    private static String image(String image, Snapshot snapshot) {
        return "image %s%s builds %s uploads %s"
                .formatted(
                        image,
                        snapshot.isPaused(image) ? " paused" : "",
                        snapshot.builds(image).stream()
                                .map(build -> build.id() + " " + build.state().wireName())
                                .toList(),
                        snapshot.uploads(image).stream()
                                .map(upload -> upload.buildId() + " " + upload.provider() + " "
                                        + upload.state().wireName())
                                .toList());
    }
}
