package nodepool.webapp.http;

import java.util.Map;
import java.util.Optional;

/**
 * What somebody asks for with GET or HEAD.
 *
 * @param path below the root, decoded, with its leading slash
 * @param parameters of the query; of one given several times the first
 * @param accept the header of that name
 */
public record Ask(String path, Map<String, String> parameters, Optional<String> accept) {

    public Ask {
        parameters = Map.copyOf(parameters);
    }

    /** A parameter; absent if not given, or without a value. */
    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name)).filter(value -> !value.isEmpty());
    }
}
