package nodepool.driver.openstack.clouds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;

/** What is known of public clouds, so that an entry needs little more than {@code profile:} and a password. */
final class VendorProfiles {

    private static final Map<String, String> KNOWN =
            Map.of("vexxhost", """
            auth: {auth_url: 'https://auth.vexxhost.net/v3'}
            regions: [ca-ymq-1, sjc1]
            floating_ip_source: None
            """, "ovh", """
            auth: {auth_url: 'https://auth.cloud.ovh.net/v3', user_domain_name: Default, project_domain_name: Default}
            regions: [BHS3, BHS5, DE1, GRA1, GRA5, GRA7, GRA9, GRA11, RBX-A, SBG3, SBG5, UK1, WAW1]
            image_format: raw
            floating_ip_source: None
            """, "internap", """
            auth: {auth_url: 'https://identity.api.cloud.inap.com/v3'}
            regions: [ams01, da01, nyj01, sin01, sjc01]
            floating_ip_source: None
            """, "rackspace", """
            auth: {auth_url: 'https://identity.api.rackspacecloud.com/v2.0/'}
            regions: [DFW, HKG, IAD, ORD, SYD, LON]
            image_format: vhd
            floating_ip_source: None
            image_api_use_tasks: true
            disable_vendor_agent: {vm_mode: hvm, xenapi_use_agent: 'False'}
            """);

    private VendorProfiles() {}

    /** The profile of that name: the administrator's own first. */
    static Optional<ObjectNode> find(String name, ObjectNode ownFile) throws CloudsException {
        if (Trees.map(ownFile, "public-clouds").get(name) instanceof ObjectNode own) {
            return Optional.of(Trees.withUnderscores(own));
        }
        String known = KNOWN.get(name);
        return known == null ? Optional.empty() : Optional.of(Trees.parse(known));
    }
}
