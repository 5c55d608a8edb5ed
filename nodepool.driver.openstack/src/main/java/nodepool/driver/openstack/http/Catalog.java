package nodepool.driver.openstack.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import nodepool.driver.openstack.clouds.CloudSettings.Endpoint;
import nodepool.driver.openstack.clouds.Service;

/**
 * Which services a cloud has, and where.
 *
 * @param entries in the order of the document
 */
record Catalog(List<Entry> entries) {

    /** One address of one service. */
    record Entry(String type, String name, String side, String region, String url) {}

    Catalog {
        entries = List.copyOf(entries);
    }

    /** Reads the {@code catalog} of a token. */
    static Catalog of(JsonNode catalog) {
        List<Entry> entries = new ArrayList<>();
        for (JsonNode service : catalog) {
            for (JsonNode endpoint : service.path("endpoints")) {
                entries.add(new Entry(
                        service.path("type").asText(),
                        service.path("name").asText(),
                        endpoint.path("interface").asText(),
                        endpoint.path("region_id")
                                .asText(endpoint.path("region").asText()),
                        endpoint.path("url").asText()));
            }
        }
        return new Catalog(entries);
    }

    /** The address of a service: the first type that is listed, and of its addresses the first interface that is. */
    Optional<String> find(Service service, Endpoint settings, Optional<String> region) {
        List<String> types = settings.type().map(List::of).orElse(service.types());
        for (String type : types) {
            for (String side : settings.interfaces()) {
                Optional<String> found = entries.stream()
                        .filter(entry ->
                                entry.type().equals(type) && entry.side().equals(side))
                        .filter(entry ->
                                settings.serviceName().map(entry.name()::equals).orElse(true))
                        .filter(entry -> region.map(entry.region()::equals).orElse(true))
                        .map(Entry::url)
                        .findFirst();
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** Regions in which anything is. */
    List<String> regions() {
        return entries.stream().map(Entry::region).distinct().sorted().toList();
    }
}
