package nodepool.driver.openstack.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import nodepool.driver.openstack.clouds.Authentication;
import nodepool.driver.openstack.clouds.Authentication.ApplicationCredential;
import nodepool.driver.openstack.clouds.Authentication.Domain;
import nodepool.driver.openstack.clouds.Authentication.ExistingToken;
import nodepool.driver.openstack.clouds.Authentication.Password;
import nodepool.driver.openstack.clouds.Authentication.Scope;
import nodepool.driver.openstack.clouds.Authentication.User;

/** The body of {@code POST /v3/auth/tokens}. A function of the settings. */
final class LoginRequest {

    private LoginRequest() {}

    static ObjectNode body(Authentication how) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ObjectNode auth = body.putObject("auth");
        ObjectNode identity = auth.putObject("identity");
        if (how instanceof Password password) {
            identity.putArray("methods").add("password");
            ObjectNode user = user(password.user());
            user.put("password", password.password().value());
            identity.putObject("password").set("user", user);
            scope(auth, password.scope());
        } else if (how instanceof ExistingToken token) {
            identity.putArray("methods").add("token");
            identity.putObject("token").put("id", token.token().value());
            scope(auth, token.scope());
        } else if (how instanceof ApplicationCredential credential) {
            identity.putArray("methods").add("application_credential");
            ObjectNode given = identity.putObject("application_credential");
            credential.id().ifPresent(id -> given.put("id", id));
            credential.name().ifPresent(name -> given.put("name", name));
            credential.user().ifPresent(user -> given.set("user", user(user)));
            given.put("secret", credential.secret().value());
        }
        return body;
    }

    private static ObjectNode user(User user) {
        return named(user.id(), user.name(), user.domain());
    }

    private static ObjectNode named(Optional<String> id, Optional<String> name, Domain domain) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        if (id.isPresent()) {
            return node.put("id", id.get());
        }
        node.put("name", name.orElse(""));
        node.set("domain", domain(domain));
        return node;
    }

    private static ObjectNode domain(Domain domain) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        return domain.id()
                .map(id -> node.put("id", id))
                .orElseGet(() -> node.put("name", domain.name().orElse("")));
    }

    private static void scope(ObjectNode auth, Scope scope) {
        if (scope instanceof Scope.Project project) {
            auth.putObject("scope").set("project", named(project.id(), project.name(), project.domain()));
        } else if (scope instanceof Scope.WholeDomain whole) {
            auth.putObject("scope").set("domain", domain(whole.domain()));
        } else if (scope instanceof Scope.WholeSystem) {
            auth.putObject("scope").putObject("system").put("all", true);
        } else if (scope instanceof Scope.Trust trust) {
            auth.putObject("scope").putObject("OS-TRUST:trust").put("id", trust.id());
        }
    }
}
