package nodepool.driver.openstack.clouds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import nodepool.driver.openstack.clouds.Authentication.Domain;
import nodepool.driver.openstack.clouds.Authentication.Scope;
import nodepool.driver.openstack.clouds.Authentication.User;

/** Reads {@code auth_type} and {@code auth} of one cloud. */
final class AuthenticationReader {

    /** Keys that may also stand beside {@code auth} instead of in it. */
    static final List<String> OPTIONS = List.of(
            "auth_url",
            "username",
            "user_id",
            "password",
            "token",
            "endpoint",
            "project_id",
            "project_name",
            "tenant_id",
            "tenant_name",
            "domain_id",
            "domain_name",
            "user_domain_id",
            "user_domain_name",
            "project_domain_id",
            "project_domain_name",
            "default_domain_id",
            "default_domain_name",
            "system_scope",
            "trust_id",
            "application_credential_id",
            "application_credential_name",
            "application_credential_secret");

    /** The domain every OpenStack is installed with. */
    private static final String DEFAULT_DOMAIN = "default";

    private final String cloud;
    private final ObjectNode auth;

    AuthenticationReader(String cloud, ObjectNode auth) {
        this.cloud = cloud;
        this.auth = auth;
    }

    Authentication read(String type) throws CloudsException {
        return switch (type) {
            case "password", "v3password" ->
                new Authentication.Password(need("auth_url"), user(), secret("password"), scope());
            case "token", "v3token" -> new Authentication.ExistingToken(need("auth_url"), secret("token"), scope());
            case "v3applicationcredential" -> applicationCredential();
            case "none", "admin_token" ->
                new Authentication.Fixed(
                        need("endpoint"), Trees.text(auth, "token").map(Secret::new));
            default ->
                throw new CloudsException("cloud " + cloud + ": auth_type " + type
                        + " is not supported; supported are password, token, v3applicationcredential, none");
        };
    }

    private Authentication applicationCredential() throws CloudsException {
        Optional<String> id = Trees.text(auth, "application_credential_id");
        return new Authentication.ApplicationCredential(
                need("auth_url"),
                id,
                id.isPresent() ? Optional.empty() : Optional.of(need("application_credential_name")),
                id.isPresent() ? Optional.empty() : Optional.of(user()),
                secret("application_credential_secret"));
    }

    private User user() throws CloudsException {
        Optional<String> id = Trees.text(auth, "user_id");
        return new User(
                id, id.isPresent() ? Trees.text(auth, "username") : Optional.of(need("username")), domain("user_"));
    }

    private Scope scope() {
        Optional<String> trust = Trees.text(auth, "trust_id");
        if (trust.isPresent()) {
            return new Scope.Trust(trust.get());
        }
        if (Trees.text(auth, "system_scope").isPresent()) {
            return new Scope.WholeSystem();
        }
        Optional<String> id = Trees.text(auth, "project_id");
        Optional<String> name = Trees.text(auth, "project_name");
        if (id.isPresent() || name.isPresent()) {
            return new Scope.Project(id, name, domain("project_"));
        }
        Domain own = named("");
        return own.id().isPresent() || own.name().isPresent() ? new Scope.WholeDomain(own) : new Scope.Unscoped();
    }

    /** The domain of a user or project: its own, else the common one, else the one every cloud has. */
    private Domain domain(String owner) {
        for (String prefix : List.of(owner, "", "default_")) {
            Domain found = named(prefix);
            if (found.id().isPresent() || found.name().isPresent()) {
                return found;
            }
        }
        return new Domain(Optional.of(DEFAULT_DOMAIN), Optional.empty());
    }

    private Domain named(String prefix) {
        return new Domain(Trees.text(auth, prefix + "domain_id"), Trees.text(auth, prefix + "domain_name"));
    }

    private Secret secret(String key) throws CloudsException {
        return new Secret(need(key));
    }

    private String need(String key) throws CloudsException {
        return Trees.text(auth, key)
                .orElseThrow(() -> new CloudsException("cloud " + cloud + ": auth." + key + " is missing"));
    }
}
