package nodepool.driver.openstack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.driver.Launch;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;
import nodepool.driver.openstack.cloud.Flavor;
import nodepool.driver.openstack.cloud.Networking.Network;
import nodepool.driver.openstack.cloud.Server;
import nodepool.driver.openstack.cloud.Server.Address;
import nodepool.driver.openstack.clouds.CloudSettings;
import nodepool.driver.openstack.clouds.CloudSettings.FloatingIpSource;
import org.junit.jupiter.api.Test;

/** What is decided without asking anybody: flavors, addresses, texts, limits, marks. */
class ChoicesTest {

    private static final List<Flavor> FLAVORS = List.of(
            new Flavor("3", "large", 8192, 4),
            new Flavor("2", "small-b", 2048, 1),
            new Flavor("1", "small-a", 2048, 2),
            new Flavor("4", "large-gpu", 8192, 4));

    private final List<Network> networks =
            List.of(new Network("n1", "inside", false), new Network("n2", "outside", true));

    @Test
    void a_flavor_is_the_smallest_that_is_large_enough_then_the_first_by_name() {
        assertEquals(Optional.of("1"), flavor(2048, ""));
        assertEquals(Optional.of("3"), flavor(2049, ""));
        assertEquals(Optional.of("4"), flavor(1024, "gpu"));
        assertEquals(Optional.empty(), flavor(9000, ""));
    }

    @Test
    void without_a_minimum_a_flavor_is_named_exactly() {
        assertEquals(Optional.of("3"), flavor(0, "large"));
        assertEquals(Optional.of("2"), flavor(0, "2"));
        assertEquals(Optional.empty(), flavor(0, "larg"));
    }

    private static Optional<String> flavor(int ram, String name) {
        OpenStackLabel.Flavor wanted = new OpenStackLabel.Flavor(
                ram == 0 ? OptionalInt.empty() : OptionalInt.of(ram),
                Optional.of(name).filter(text -> !text.isEmpty()));
        return FlavorChoice.choose(wanted, FLAVORS).map(Flavor::id);
    }

    @Test
    void a_server_is_reached_at_its_address_in_an_external_network() {
        assertEquals(
                addresses("9.9.9.9", "9.9.9.9", "10.0.0.1", null),
                choice(false, false).choose(server(fixed("inside", "10.0.0.1"), fixed("outside", "9.9.9.9")), none()));
    }

    @Test
    void a_floating_ip_comes_before_any_fixed_address_that_is_not_external() {
        Server server = server(fixed("inside", "10.0.0.1"));
        assertEquals(
                addresses("9.1.1.1", "9.1.1.1", "10.0.0.1", null),
                choice(false, false).choose(server, Optional.of("9.1.1.1")));
        assertEquals(
                addresses("9.1.1.2", "9.1.1.2", "10.0.0.1", null),
                choice(false, false)
                        .choose(
                                server(fixed("inside", "10.0.0.1"), new Address("inside", "9.1.1.2", 4, true)),
                                none()));
    }

    @Test
    void a_server_without_a_public_address_is_reached_at_its_private_one() {
        assertEquals(
                addresses("10.0.0.1", null, "10.0.0.1", null),
                choice(false, false).choose(server(fixed("inside", "10.0.0.1")), none()));
    }

    @Test
    void version_6_is_used_where_this_machine_has_it_and_the_cloud_does_not_forbid_it() {
        Server server = server(fixed("outside", "9.9.9.9"), new Address("outside", "2001:db8::1", 6, false));
        assertEquals(
                addresses("2001:db8::1", "9.9.9.9", "9.9.9.9", "2001:db8::1"),
                choice(true, false).choose(server, none()));
        assertEquals(
                addresses("9.9.9.9", "9.9.9.9", "9.9.9.9", "2001:db8::1"),
                choice(false, false).choose(server, none()));
        assertEquals(
                addresses("9.9.9.9", "9.9.9.9", "9.9.9.9", null),
                choice(true, true).choose(server, none()));
    }

    @Test
    void addresses_set_by_hand_win() {
        Server server = new Server(
                "1",
                "n",
                "ACTIVE",
                none(),
                Map.of(),
                List.of(fixed("outside", "9.9.9.9")),
                new Server.Access(Optional.of("8.8.8.8"), none()),
                none(),
                none(),
                new Server.FlavorOf(none(), Optional.empty()),
                List.of());
        assertEquals(
                Optional.of("8.8.8.8"),
                choice(false, false).choose(server, none()).interfaceIp());
    }

    @Test
    void the_network_named_as_default_interface_decides() {
        CloudSettings.Networks settings = new CloudSettings.Networks(
                FloatingIpSource.NEUTRON,
                List.of(new CloudSettings.Network("inside", false, false, false, true)),
                true,
                true,
                false,
                false);
        assertEquals(
                Optional.of("10.0.0.1"),
                new AddressChoice(settings, networks, false)
                        .choose(server(fixed("outside", "9.9.9.9"), fixed("inside", "10.0.0.1")), none())
                        .interfaceIp());
    }

    private AddressChoice choice(boolean reachesVersion6, boolean ipv4Only) {
        return new AddressChoice(
                new CloudSettings.Networks(FloatingIpSource.NEUTRON, List.of(), true, true, false, ipv4Only),
                networks,
                reachesVersion6);
    }

    private static Optional<String> none() {
        return Optional.empty();
    }

    private static Address fixed(String network, String ip) {
        return new Address(network, ip, 4, false);
    }

    private static Server server(Address... addresses) {
        return new Server(
                "1",
                "n",
                "ACTIVE",
                none(),
                Map.of(),
                List.of(addresses),
                new Server.Access(none(), none()),
                none(),
                none(),
                new Server.FlavorOf(none(), Optional.empty()),
                List.of());
    }

    private static Node.Addresses addresses(String reached, String publicV4, String privateV4, String publicV6) {
        return new Node.Addresses(
                Optional.ofNullable(reached),
                Optional.ofNullable(publicV4),
                Optional.ofNullable(privateV4),
                Optional.ofNullable(publicV6));
    }

    @Test
    void dynamic_properties_are_written_as_python_does() {
        NodeRequest request = new NodeRequest(
                "100-0000000007",
                new NodeRequest.Wanted(List.of("a", "b"), true, Optional.empty(), 3),
                new NodeRequest.Asker(
                        Optional.of("zuul"),
                        new JsonObject(Map.of("job", JsonValue.of("unit"))),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                nodepool.api.request.RequestState.REQUESTED,
                Instant.EPOCH,
                List.of(),
                List.of(),
                nodepool.api.json.Stored.NEVER);
        RequestTemplate template = new RequestTemplate(request);
        assertEquals(
                Optional.of("100-0000000007 of None, {3}"),
                template.fill("{request.id} of {request.tenant_name}, {{{request.relative_priority}}}"));
        assertEquals(Optional.of("['a', 'b'] b"), template.fill("{request.labels} {request.labels[1]}"));
        assertEquals(
                Optional.of("{'job': 'unit'} unit"),
                template.fill("{request.requestor_data} {request.requestor_data[job]}"));
        assertEquals(Optional.empty(), template.fill("{request.requestor_data[nobody]}"));
        assertEquals(Optional.empty(), template.fill("{request.nobody}"));
        assertEquals(Optional.empty(), template.fill("{request.id:>20}"));
    }

    @Test
    void negative_limits_and_missing_ones_are_none() throws Exception {
        ObjectMapper json = new ObjectMapper();
        QuotaInformation limits = CloudLimits.of(
                json.readTree("{\"maxTotalInstances\": 5, \"maxTotalCores\": -1}"),
                json.readTree("{\"maxTotalVolumes\": 0}"));
        assertEquals(
                QuotaInformation.limits(Map.of(QuotaInformation.INSTANCES, 5.0, QuotaInformation.VOLUMES, 0.0)),
                limits);
    }

    @Test
    void a_mark_names_provider_pool_and_node_and_other_texts_name_nobody() {
        Map<String, String> owner =
                Map.of(Launch.PROVIDER_NAME, "p", Launch.POOL_NAME, "main", Launch.NODE_ID, "0000000001");
        assertEquals("nodepool p/main/0000000001", Ownership.text(owner));
        assertEquals(owner, Ownership.metadata(Ownership.text(owner)));
        assertEquals(Map.of(), Ownership.metadata("somebody's"));
        assertEquals(Map.of(), Ownership.metadata(""));
    }
}
