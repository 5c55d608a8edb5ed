package nodepool.driver.openstack.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import nodepool.driver.openstack.clouds.Service;

/**
 * Where calls to a service begin, and which microversions it knows.
 *
 * @param address with the version's path, without a slash at the end
 * @param newest microversion; absent: it has none, or nobody asked
 */
record ServiceRoot(String address, Optional<Version> newest) {

    private static final Pattern VERSIONED = Pattern.compile(".*/v\\d[\\d.]*(/.*)?");
    private static final Pattern AT_THE_END = Pattern.compile("/v\\d[\\d.]*/?$");

    /** Whether an address already says which version. */
    static boolean isVersioned(String address) {
        return VERSIONED.matcher(URI.create(address).getPath()).matches();
    }

    /** Without a version at the end. */
    static String withoutVersion(String address) {
        return AT_THE_END.matcher(address).replaceFirst("");
    }

    static String withoutSlash(String address) {
        return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
    }

    /** What we speak with each service. */
    private static int wantedMajor(Service service) {
        return switch (service) {
            case IDENTITY, BLOCK_STORAGE -> 3;
            case COMPUTE, IMAGE, NETWORK -> 2;
        };
    }

    /** The path a version usually has. */
    static String usualPath(Service service) {
        return switch (service) {
            case IDENTITY, BLOCK_STORAGE -> "/v3";
            case COMPUTE -> "/v2.1";
            case IMAGE -> "/v2";
            case NETWORK -> "/v2.0";
        };
    }

    /**
     * Chooses from a version document.
     *
     * @param asked the address it comes from: host and scheme of the links in it are often those behind a proxy
     */
    static Optional<ServiceRoot> choose(Service service, String asked, JsonNode document) {
        ServiceRoot best = null;
        Version bestVersion = new Version(0, 0);
        for (JsonNode one : versions(document)) {
            Optional<Version> version = Version.of(one.path("id").asText());
            if (version.isPresent()
                    && version.get().major() == wantedMajor(service)
                    && version.get().compareTo(bestVersion) > 0) {
                bestVersion = version.get();
                best = new ServiceRoot(address(service, asked, one), newest(one));
            }
        }
        return Optional.ofNullable(best);
    }

    /** The forms in which services wrap their versions. */
    private static List<JsonNode> versions(JsonNode document) {
        List<JsonNode> found = new ArrayList<>();
        JsonNode versions = document.path("versions");
        (versions.isObject() ? versions.path("values") : versions).forEach(found::add);
        if (document.path("version").isObject()) {
            found.add(document.path("version"));
        }
        return found;
    }

    private static Optional<Version> newest(JsonNode one) {
        return Version.of(one.path("version").asText(one.path("max_version").asText()));
    }

    private static String address(Service service, String asked, JsonNode one) {
        for (JsonNode link : one.path("links")) {
            if (link.path("rel").asText().equals("self")) {
                URI self = URI.create(asked).resolve(link.path("href").asText());
                return withoutSlash(URI.create(asked).resolve(self.getRawPath()).toString());
            }
        }
        return withoutSlash(asked) + usualPath(service);
    }
}
