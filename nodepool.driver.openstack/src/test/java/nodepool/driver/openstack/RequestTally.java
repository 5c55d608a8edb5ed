package nodepool.driver.openstack;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.driver.openstack.clouds.Service;
import nodepool.driver.openstack.http.RequestListener;

/** Remembers what was asked of a cloud. */
final class RequestTally implements RequestListener {

    private static final Set<String> LISTINGS = Set.of(
            "servers_detail",
            "volumes_detail",
            "flavors_detail",
            "floatingips",
            "networks",
            "subnets",
            "images",
            "tokens",
            "discovery");

    private final List<String> all = new CopyOnWriteArrayList<>();

    @Override
    public void ended(Service service, String method, String operation, OptionalInt status, Duration took) {
        all.add(method + " " + operation);
    }

    @Override
    public String toString() {
        return all.toString();
    }

    void clear() {
        all.clear();
    }

    /** Everything, in its order. */
    List<String> all() {
        return List.copyOf(all);
    }

    /** What is done for one server alone: neither shared listings nor logins. */
    List<String> ofServers() {
        return all.stream()
                .filter(one ->
                        !(one.startsWith("GET ") && LISTINGS.contains(one.substring(4))) && !one.equals("POST tokens"))
                .toList();
    }

    long count(String request) {
        return all.stream().filter(request::equals).count();
    }
}
