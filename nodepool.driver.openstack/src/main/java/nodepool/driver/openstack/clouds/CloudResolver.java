package nodepool.driver.openstack.clouds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * From the content of the files to the settings of one cloud: defaults, then the vendor's profile, then the cloud's own keys,
 * then its region's. A function of its arguments.
 */
public final class CloudResolver {

    private static final String DEFAULTS = """
            auth_type: password
            interface: public
            image_format: qcow2
            floating_ip_source: neutron
            verify: true
            image_status_code_retries: 5
            connect_retries: 1
            """;

    /** Variables that say where files are, not what the cloud is like. */
    private static final Set<String> NOT_ABOUT_A_CLOUD = Set.of(
            "OS_CLIENT_CONFIG_FILE", "OS_CLIENT_SECURE_FILE", "OS_CLIENT_VENDOR_FILE", "OS_CLOUD", "OS_CLOUD_NAME");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w+)}");

    private final CloudFiles.Content content;
    private final Consumer<String> warnings;

    /** @param warnings is told what is probably not meant */
    public CloudResolver(CloudFiles.Content content, Consumer<String> warnings) {
        this.content = content;
        this.warnings = warnings;
    }

    /**
     * The settings of one cloud.
     *
     * @param wantedRegion absent: the cloud's first
     */
    public CloudSettings resolve(String cloud, Optional<String> wantedRegion) throws CloudsException {
        ObjectNode own = Trees.withUnderscores(entry(cloud));
        ObjectNode result = Trees.parse(DEFAULTS);
        Trees.merge(result, profile(cloud, own));
        own.remove(List.of("profile", "cloud"));
        Trees.merge(result, own);
        Optional<String> region = region(cloud, result, wantedRegion);
        renameOldKeys(result);
        fillIn(result, region);
        if (result.has("cache")) {
            warnings.accept("cloud " + cloud + ": cache is ignored; lists are cached by the provider itself");
        }
        return new SettingsReader(cloud, result, content.environment()).read(region);
    }

    private ObjectNode entry(String cloud) throws CloudsException {
        if (Trees.map(content.clouds(), "clouds").get(cloud) instanceof ObjectNode found) {
            return found;
        }
        ObjectNode variables = variables();
        if (cloud.equals(content.environment().getOrDefault("OS_CLOUD_NAME", "envvars")) && !variables.isEmpty()) {
            return variables;
        }
        List<String> known = new ArrayList<>();
        Trees.map(content.clouds(), "clouds").fieldNames().forEachRemaining(known::add);
        throw new CloudsException("Cloud " + cloud + " was not found."
                + (content.files().isEmpty()
                        ? " There is no clouds.yaml in any of " + content.folders()
                        : " " + content.files() + " have: " + String.join(", ", known)));
    }

    private ObjectNode variables() {
        ObjectNode entry = Trees.empty();
        content.environment().forEach((name, value) -> {
            if (name.startsWith("OS_") && !NOT_ABOUT_A_CLOUD.contains(name)) {
                entry.put(name.substring(3).toLowerCase(Locale.ROOT), value);
            }
        });
        return entry;
    }

    private ObjectNode profile(String cloud, ObjectNode own) throws CloudsException {
        Optional<String> name = Trees.text(own, "profile").or(() -> Trees.text(own, "cloud"));
        if (name.isEmpty()) {
            return Trees.empty();
        }
        Optional<ObjectNode> found = VendorProfiles.find(name.get(), content.vendors());
        if (found.isEmpty()) {
            warnings.accept("cloud " + cloud + ": profile " + name.get()
                    + " is neither in clouds-public.yaml nor built in; going on without");
        }
        return found.orElseGet(Trees::empty);
    }

    /** Finds the region and puts its own values over the cloud's. */
    private static Optional<String> region(String cloud, ObjectNode result, Optional<String> wanted)
            throws CloudsException {
        Map<String, ObjectNode> regions = regions(result);
        if (regions.isEmpty()) {
            return wanted;
        }
        String chosen = wanted.orElseGet(() -> regions.keySet().iterator().next());
        ObjectNode values = regions.get(chosen);
        if (values == null) {
            throw new CloudsException("Region " + chosen + " is not a valid region name for cloud " + cloud
                    + ". Valid choices are " + String.join(", ", regions.keySet()));
        }
        Trees.merge(result, values);
        return Optional.of(chosen);
    }

    private static Map<String, ObjectNode> regions(ObjectNode result) {
        Map<String, ObjectNode> regions = new LinkedHashMap<>();
        if (result.get("regions") instanceof ArrayNode list) {
            for (JsonNode one : list) {
                Optional<String> name = one.isObject() ? Trees.text(one, "name") : Optional.of(one.asText());
                name.ifPresent(found -> regions.put(found, Trees.withUnderscores(Trees.map(one, "values"))));
            }
        } else {
            Trees.text(result, "region_name").ifPresent(names -> {
                for (String name : names.split(",")) {
                    regions.put(name.strip(), Trees.empty());
                }
            });
        }
        return regions;
    }

    private static void renameOldKeys(ObjectNode result) {
        if (result.has("endpoint_type")) {
            result.set("interface", result.remove("endpoint_type"));
        }
        ObjectNode auth = Trees.map(result, "auth");
        for (String key : AuthenticationReader.OPTIONS) {
            if (result.has(key) && !auth.has(key)) {
                auth.set(key, result.get(key));
            }
        }
        for (String end : List.of("id", "name", "domain_id", "domain_name")) {
            if (auth.has("tenant_" + end) && !auth.has("project_" + end)) {
                auth.set("project_" + end, auth.remove("tenant_" + end));
            }
        }
        result.set("auth", auth);
    }

    /** Replaces {@code {region_name}} and its like in the address to log in at. */
    private static void fillIn(ObjectNode result, Optional<String> region) {
        region.ifPresent(name -> result.put("region_name", name));
        ObjectNode auth = Trees.map(result, "auth");
        Trees.text(auth, "auth_url")
                .ifPresent(url -> auth.put(
                        "auth_url",
                        PLACEHOLDER
                                .matcher(url)
                                .replaceAll(match ->
                                        Trees.text(result, match.group(1)).orElse(match.group()))));
    }
}
