package nodepool.deploy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.namespace.ExecutionEnvironmentNamespace;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.resource.Namespace;

/** What a bundle needs and nobody here has, in an operator's words. */
final class Needs {

    private static final Pattern PACKAGE = Pattern.compile("osgi\\.wiring\\.package=([^)]+)");
    private static final Pattern FROM = Pattern.compile("\\(version>=([^)]+)\\)");
    private static final Pattern BELOW = Pattern.compile("\\(!\\(version>=([^)]+)\\)\\)");

    private final Bundle[] here;

    /** @param here all bundles */
    Needs(Bundle[] here) {
        this.here = here.clone();
    }

    /** Why a bundle cannot be resolved; empty if nothing is missing. */
    List<String> missing(Bundle bundle) {
        List<String> missing = new ArrayList<>();
        for (BundleRequirement need : bundle.adapt(BundleRevision.class).getDeclaredRequirements(null)) {
            if (isMandatory(need) && offers(need.getNamespace()).noneMatch(need::matches)) {
                missing.add(describe(need));
            }
        }
        return missing;
    }

    private static boolean isMandatory(BundleRequirement need) {
        boolean optional = Namespace.RESOLUTION_OPTIONAL.equals(
                need.getDirectives().get(Namespace.REQUIREMENT_RESOLUTION_DIRECTIVE));
        boolean now = Namespace.EFFECTIVE_RESOLVE.equals(need.getDirectives()
                .getOrDefault(Namespace.REQUIREMENT_EFFECTIVE_DIRECTIVE, Namespace.EFFECTIVE_RESOLVE));
        return now && !optional;
    }

    private Stream<BundleCapability> offers(String namespace) {
        return Arrays.stream(here)
                .map(bundle -> bundle.adapt(BundleRevision.class))
                .filter(Objects::nonNull)
                .flatMap(revision -> revision.getDeclaredCapabilities(namespace).stream());
    }

    private String describe(BundleRequirement need) {
        String filter = need.getDirectives().getOrDefault(Namespace.REQUIREMENT_FILTER_DIRECTIVE, "");
        return switch (need.getNamespace()) {
            case PackageNamespace.PACKAGE_NAMESPACE -> describePackage(filter);
            case ExecutionEnvironmentNamespace.EXECUTION_ENVIRONMENT_NAMESPACE ->
                "it needs another Java, %s, than %s".formatted(filter, Runtime.version());
            default -> "it needs %s %s, which no bundle here has".formatted(need.getNamespace(), filter);
        };
    }

    private String describePackage(String filter) {
        String name = find(PACKAGE, filter).orElse(filter);
        List<String> versions = offers(PackageNamespace.PACKAGE_NAMESPACE)
                .filter(offer -> name.equals(offer.getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE)))
                .map(offer -> String.valueOf(offer.getAttributes().get(Constants.VERSION_ATTRIBUTE)))
                .distinct()
                .toList();
        String range = find(FROM, filter).map(from -> " from " + from).orElse("")
                + find(BELOW, filter).map(below -> " to below " + below).orElse("");
        return versions.isEmpty()
                ? "it needs the package %s, which no bundle here has".formatted(name)
                : "it was built for versions%s of the package %s, and here is %s"
                        .formatted(range, name, String.join(", ", versions));
    }

    private static Optional<String> find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
