package nodepool.driver.openstack.http;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import nodepool.driver.openstack.clouds.Secret;
import nodepool.driver.openstack.clouds.Service;

/**
 * One request as it is sent.
 *
 * @param service whom
 * @param what for messages
 * @param address whole, with its query
 */
record Outgoing(
        Service service, String what, String method, String address, Call.Body body, Map<String, String> headers) {

    Outgoing with(Optional<Secret> token) {
        if (token.isEmpty()) {
            return this;
        }
        Map<String, String> more = new TreeMap<>(headers);
        more.put("X-Auth-Token", token.get().value());
        return new Outgoing(service, what, method, address, body, more);
    }

    Outgoing to(URI other) {
        return new Outgoing(service, what, method, other.toString(), body, headers);
    }

    /** Without headers, which hold the token, and without body, which may hold the password. */
    @Override
    public String toString() {
        return method + " " + address;
    }
}
