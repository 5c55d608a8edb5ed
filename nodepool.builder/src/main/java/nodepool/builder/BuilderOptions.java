package nodepool.builder;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * How the builder was started.
 *
 * @param buildWorkers builds at the same time
 * @param uploadWorkers uploads at the same time; the first one of each provider does not count
 * @param fake whether no image is really built
 * @param home folder of the installation
 */
record BuilderOptions(int buildWorkers, int uploadWorkers, boolean fake, Path home) {

    /** @param property value of a property of the framework, or null */
    static BuilderOptions from(UnaryOperator<String> property) {
        return new BuilderOptions(
                number(property, "nodepool.build-workers", 1),
                number(property, "nodepool.upload-workers", 4),
                Boolean.parseBoolean(property.apply("nodepool.fake")),
                Path.of(Optional.ofNullable(property.apply("nodepool.home")).orElse("."))
                        .toAbsolutePath());
    }

    private static int number(UnaryOperator<String> property, String name, int otherwise) {
        return Optional.ofNullable(property.apply(name)).map(Integer::parseInt).orElse(otherwise);
    }
}
