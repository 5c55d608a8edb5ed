package nodepool.driver.openstack.clouds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.driver.openstack.clouds.Authentication.ApplicationCredential;
import nodepool.driver.openstack.clouds.Authentication.Domain;
import nodepool.driver.openstack.clouds.Authentication.ExistingToken;
import nodepool.driver.openstack.clouds.Authentication.Fixed;
import nodepool.driver.openstack.clouds.Authentication.Password;
import nodepool.driver.openstack.clouds.Authentication.Scope;
import nodepool.driver.openstack.clouds.Authentication.User;
import nodepool.driver.openstack.clouds.CloudSettings.FloatingIpSource;
import org.junit.jupiter.api.Test;

/** What one cloud's settings become. */
class CloudResolverTest {

    private static final String MINIMAL =
            "auth: {auth_url: 'http://k/v3', username: u, password: p, project_name: j}, ";

    private final List<String> warnings = new ArrayList<>();

    @Test
    void a_password_with_a_project_in_the_default_domain_is_enough() throws Exception {
        CloudSettings settings = resolve("c: {" + MINIMAL + "}");
        assertEquals(
                new Password(
                        "http://k/v3",
                        new User(Optional.empty(), Optional.of("u"), id("default")),
                        new Secret("p"),
                        new Scope.Project(Optional.empty(), Optional.of("j"), id("default"))),
                settings.authentication());
        assertEquals(Optional.empty(), settings.region());
        assertEquals(Optional.empty(), settings.timeout());
        assertTrue(settings.tls().verify());
        assertEquals("qcow2", settings.images().format());
        assertEquals(FloatingIpSource.NEUTRON, settings.networks().floatingIps());
        assertEquals(List.of("public"), settings.service(Service.COMPUTE).interfaces());
        assertEquals(5, settings.service(Service.IMAGE).statusRetries());
        assertEquals(0, settings.service(Service.COMPUTE).statusRetries());
        assertEquals(1, settings.service(Service.COMPUTE).connectRetries());
    }

    @Test
    void one_domain_spreads_to_user_and_project() throws Exception {
        Password password =
                (Password) auth("auth: {auth_url: k, username: u, password: p, project_name: j, domain_name: D}");
        assertEquals(name("D"), password.user().domain());
        assertEquals(new Scope.Project(Optional.empty(), Optional.of("j"), name("D")), password.scope());
    }

    @Test
    void own_domains_win_over_the_common_one() throws Exception {
        Password password = (Password) auth("auth: {auth_url: k, username: u, password: p, project_name: j,"
                + " domain_name: D, user_domain_id: U, project_domain_name: P}");
        assertEquals(id("U"), password.user().domain());
        assertEquals(new Scope.Project(Optional.empty(), Optional.of("j"), name("P")), password.scope());
    }

    @Test
    void scopes_other_than_projects_are_known() throws Exception {
        String start = "auth: {auth_url: k, username: u, password: p, ";
        assertEquals(new Scope.WholeDomain(name("D")), ((Password) auth(start + "domain_name: D}")).scope());
        assertEquals(new Scope.WholeSystem(), ((Password) auth(start + "system_scope: all}")).scope());
        assertEquals(new Scope.Trust("t"), ((Password) auth(start + "trust_id: t}")).scope());
        assertEquals(new Scope.Unscoped(), ((Password) auth(start + "}")).scope());
    }

    @Test
    void old_names_hyphens_and_keys_beside_auth_are_understood() throws Exception {
        Password password =
                (Password) auth("auth: {auth-url: k, username: u, tenant_name: old}, password: p, endpoint-type: x");
        assertEquals("p", password.password().value());
        assertEquals(new Scope.Project(Optional.empty(), Optional.of("old"), id("default")), password.scope());
        CloudSettings settings = resolve("c: {" + MINIMAL + "endpoint_type: internalURL}");
        assertEquals(List.of("internal"), settings.service(Service.IMAGE).interfaces());
    }

    @Test
    void an_application_credential_has_no_scope_and_needs_no_user_with_its_id() throws Exception {
        ApplicationCredential byId = (ApplicationCredential) auth("auth_type: v3applicationcredential,"
                + " auth: {auth_url: k, application_credential_id: i, application_credential_secret: s}");
        assertEquals(Optional.of("i"), byId.id());
        assertEquals(Optional.empty(), byId.user());
        ApplicationCredential byName = (ApplicationCredential) auth("auth_type: v3applicationcredential, auth:"
                + " {auth_url: k, application_credential_name: n, application_credential_secret: s, username: u}");
        assertEquals(Optional.of("n"), byName.name());
        assertEquals(Optional.of(new User(Optional.empty(), Optional.of("u"), id("default"))), byName.user());
    }

    @Test
    void tokens_and_fixed_addresses_are_known() throws Exception {
        assertEquals(
                new ExistingToken("k", new Secret("t"), new Scope.Unscoped()),
                auth("auth_type: token, auth: {auth_url: k, token: t}"));
        assertEquals(new Fixed("http://e", Optional.empty()), auth("auth_type: none, auth: {endpoint: 'http://e'}"));
    }

    @Test
    void what_is_missing_is_named() {
        assertWrong("c: {auth: {auth_url: k, username: u}}", "cloud c: auth.password is missing");
        assertWrong("c: {auth: {username: u, password: p}}", "cloud c: auth.auth_url is missing");
        assertWrong("c: {auth_type: v3oidc, auth: {}}", "cloud c: auth_type v3oidc is not supported");
        assertWrong("other: {}", "Cloud c was not found. [clouds.yaml] have: other");
        assertWrong("c: {" + MINIMAL + "api_timeout: soon}", "cloud c: api_timeout is not a number: soon");
        assertWrong("c: {" + MINIMAL + "floating_ip_source: moon}", "floating_ip_source is none of");
        assertWrong(
                "c: {" + MINIMAL + "networks: [{name: a, nat_destination: true}, {name: b, nat_destination: true}]}",
                "only one network may have nat_destination");
    }

    @Test
    void the_first_region_is_taken_and_a_wanted_one_must_be_known() throws Exception {
        String regions = "c: {" + MINIMAL + "interface: public, regions: [one, {name: two, values: {interface: x}}]}";
        assertEquals(Optional.of("one"), resolve(regions).region());
        CloudSettings two = resolve(regions, Optional.of("two"));
        assertEquals(Optional.of("two"), two.region());
        assertEquals(List.of("x"), two.service(Service.NETWORK).interfaces());
        CloudsException wrong = assertThrows(CloudsException.class, () -> resolve(regions, Optional.of("three")));
        assertEquals(
                "Region three is not a valid region name for cloud c. Valid choices are one, two", wrong.getMessage());
    }

    @Test
    void any_region_is_accepted_where_none_is_listed() throws Exception {
        assertEquals(
                Optional.of("anywhere"),
                resolve("c: {" + MINIMAL + "}", Optional.of("anywhere")).region());
        assertEquals(
                Optional.of("two"),
                resolve("c: {" + MINIMAL + "region_name: 'one,two'}", Optional.of("two"))
                        .region());
    }

    @Test
    void the_region_is_filled_into_the_address() throws Exception {
        CloudSettings settings = resolve(
                "c: {region_name: r1," + " auth: {auth_url: 'https://{region_name}.k/v3', username: u, password: p}}");
        assertEquals("https://r1.k/v3", ((Password) settings.authentication()).url());
    }

    @Test
    void a_profile_lies_below_the_clouds_own_keys() throws Exception {
        CloudSettings settings = resolve(
                "c: {profile: vexxhost, regions: [sjc1]," + " auth: {username: u, password: p, project_name: j}}");
        assertEquals("https://auth.vexxhost.net/v3", ((Password) settings.authentication()).url());
        assertEquals(Optional.of("sjc1"), settings.region());
        assertEquals(FloatingIpSource.NONE, settings.networks().floatingIps());
    }

    @Test
    void an_own_profile_is_found_and_an_unknown_one_is_only_a_warning() throws Exception {
        CloudFiles.Content content = new CloudFiles.Content(
                Trees.parse("clouds: {c: {" + MINIMAL + "profile: mine}, d: {" + MINIMAL + "profile: nobody}}"),
                Trees.parse("public-clouds: {mine: {image-format: raw}}"),
                Map.of(),
                List.of(),
                List.of());
        CloudResolver resolver = new CloudResolver(content, warnings::add);
        assertEquals("raw", resolver.resolve("c", Optional.empty()).images().format());
        assertEquals(List.of(), warnings);
        resolver.resolve("d", Optional.empty());
        assertEquals(1, warnings.size());
    }

    @Test
    void variables_make_a_cloud_of_their_own() throws Exception {
        Map<String, String> variables = Map.of(
                "OS_AUTH_URL", "http://k", "OS_USERNAME", "u", "OS_PASSWORD", "p", "OS_PROJECT_NAME", "j", "PATH", "/");
        CloudFiles.Content content =
                new CloudFiles.Content(Trees.empty(), Trees.empty(), variables, List.of(), List.of());
        CloudSettings settings = new CloudResolver(content, warnings::add).resolve("envvars", Optional.of("r"));
        assertEquals("http://k", ((Password) settings.authentication()).url());
        assertThrows(
                CloudsException.class, () -> new CloudResolver(content, warnings::add).resolve("c", Optional.empty()));
    }

    @Test
    void services_have_their_own_settings() throws Exception {
        CloudSettings settings = resolve("c: {" + MINIMAL + "interface: [internal, public],"
                + " compute_endpoint_override: 'http://n', compute_default_microversion: '2.60',"
                + " volume_service_type: volumev3, network_interface: admin, image_status_code_retries: 2,"
                + " status_code_retries: 1}");
        assertEquals(Optional.of("http://n"), settings.service(Service.COMPUTE).override());
        assertEquals(Optional.of("2.60"), settings.service(Service.COMPUTE).microversion());
        assertEquals(
                List.of("internal", "public"), settings.service(Service.COMPUTE).interfaces());
        assertEquals(List.of("admin"), settings.service(Service.NETWORK).interfaces());
        assertEquals(
                Optional.of("volumev3"), settings.service(Service.BLOCK_STORAGE).type());
        assertEquals(2, settings.service(Service.IMAGE).statusRetries());
        assertEquals(1, settings.service(Service.NETWORK).statusRetries());
    }

    @Test
    void tls_and_time_limits_are_read() throws Exception {
        CloudSettings settings =
                resolve("c: {" + MINIMAL + "cacert: /ca.pem, cert: /me.pem, key: /me.key, api_timeout: 7.5}");
        assertEquals(
                new CloudSettings.Tls(
                        true,
                        Optional.of(Path.of("/ca.pem")),
                        Optional.of(Path.of("/me.pem")),
                        Optional.of(Path.of("/me.key"))),
                settings.tls());
        assertEquals(Optional.of(Duration.ofMillis(7500)), settings.timeout());
        assertFalse(resolve("c: {" + MINIMAL + "insecure: 'yes', cacert: /ca.pem}")
                .tls()
                .verify());
        assertFalse(resolve("c: {" + MINIMAL + "verify: no}").tls().verify());
    }

    @Test
    void networks_are_read_in_the_new_and_the_old_way() throws Exception {
        CloudSettings.Networks networks = resolve("c: {" + MINIMAL + "force_ipv4: true, private: true,"
                        + " networks: [{name: a, routes_externally: true, nat_source: true}, {name: b,"
                        + " default_interface: true}], internal_network: i}")
                .networks();
        assertEquals(
                List.of(
                        new CloudSettings.Network("a", true, true, false, false),
                        new CloudSettings.Network("b", false, false, false, true),
                        new CloudSettings.Network("i", false, false, true, false)),
                networks.known());
        assertTrue(networks.ipv4Only());
        assertTrue(networks.preferPrivate());
    }

    @Test
    void secrets_are_never_shown() throws Exception {
        String shown = resolve("c: {auth: {auth_url: k, username: u, password: s3cret}}")
                .toString();
        assertFalse(shown.contains("s3cret"), shown);
    }

    private Authentication auth(String keys) throws CloudsException {
        return resolve("c: {" + keys + "}").authentication();
    }

    private CloudSettings resolve(String clouds) throws CloudsException {
        return resolve(clouds, Optional.empty());
    }

    private CloudSettings resolve(String clouds, Optional<String> region) throws CloudsException {
        CloudFiles.Content content = new CloudFiles.Content(
                Trees.parse("clouds: {" + clouds + "}"),
                Trees.empty(),
                Map.of(),
                List.of(Path.of("clouds.yaml")),
                List.of());
        return new CloudResolver(content, warnings::add).resolve("c", region);
    }

    private void assertWrong(String clouds, String message) {
        CloudsException wrong = assertThrows(CloudsException.class, () -> resolve(clouds));
        assertTrue(wrong.getMessage().contains(message), wrong.getMessage());
    }

    private static Domain id(String id) {
        return new Domain(Optional.of(id), Optional.empty());
    }

    private static Domain name(String name) {
        return new Domain(Optional.empty(), Optional.of(name));
    }
}
