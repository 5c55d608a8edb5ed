package nodepool.driver.openstack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.ConfigurationReader.Result;
import nodepool.api.config.Problem;
import nodepool.api.config.Problem.Severity;
import nodepool.api.driver.Driver;
import nodepool.driver.openstack.clouds.CloudFiles;

/** The example files, read with all drivers that are here. */
final class Examples {

    static final Path FOLDER = Path.of("../nodepool.config/src/test/resources/examples");

    private static final Map<String, String> ENVIRONMENT = Map.of(
            "NODEPOOL_ZK_HOST", "keeper.lab.example",
            "NODEPOOL_WEB_PORT", "9005",
            "NODEPOOL_RELEASE", "24.10",
            "NODEPOOL_TOKEN", "t0");

    private static final CloudFiles CLOUDS = new CloudFiles(
            Map.of("OS_CLIENT_CONFIG_FILE", "src/test/resources/clouds.yaml"), Path.of(""), Path.of("/nowhere"));

    private Examples() {}

    static Result read(String file) {
        Optional<Path> secure =
                file.startsWith("08") ? Optional.of(FOLDER.resolve("08-environment-secure.yaml")) : Optional.empty();
        List<Driver> drivers = new ArrayList<>();
        ServiceLoader.load(Driver.class).forEach(drivers::add);
        drivers.removeIf(OpenStackDriver.class::isInstance);
        drivers.add(new OpenStackDriver(CLOUDS));
        return ServiceLoader.load(ConfigurationReader.class)
                .findFirst()
                .orElseThrow()
                .read(FOLDER.resolve(file), secure, ENVIRONMENT, drivers);
    }

    /** One line per problem, notices left out: {@code 12 error providers[a].rate: expected …}. */
    static List<String> remarks(Result result) {
        return result.problems().stream()
                .filter(problem -> problem.severity() != Severity.NOTICE)
                .map(Examples::line)
                .toList();
    }

    private static String line(Problem problem) {
        String severity = problem.severity() == Severity.WARNING ? "warning" : "error";
        return problem.at().line() + " " + severity + " " + problem.path() + ": " + problem.message();
    }
}
