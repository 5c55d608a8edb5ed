package nodepool.driver.openstack.clouds;

import java.util.Optional;

/** How to log in. Each way carries exactly what it needs. */
public sealed interface Authentication {

    /**
     * A domain, by id or by name.
     *
     * @param id wins over the name
     */
    record Domain(Optional<String> id, Optional<String> name) {}

    /**
     * A user, by id or by name and domain.
     *
     * @param id wins over the name
     */
    record User(Optional<String> id, Optional<String> name, Domain domain) {}

    /** What a token is good for. */
    sealed interface Scope {

        /**
         * A project, by id or by name and domain.
         *
         * @param id wins over the name
         */
        record Project(Optional<String> id, Optional<String> name, Domain domain) implements Scope {}

        record WholeDomain(Domain domain) implements Scope {}

        record WholeSystem() implements Scope {}

        record Trust(String id) implements Scope {}

        /** Whatever the service gives. */
        record Unscoped() implements Scope {}
    }

    /** With user and password. */
    record Password(String url, User user, Secret password, Scope scope) implements Authentication {}

    /** With a token that exists already. Cannot be renewed when it has ended. */
    record ExistingToken(String url, Secret token, Scope scope) implements Authentication {}

    /**
     * With a credential that has its scope in itself.
     *
     * @param id absent: {@code name} and {@code user} are there
     */
    record ApplicationCredential(
            String url, Optional<String> id, Optional<String> name, Optional<User> user, Secret secret)
            implements Authentication {}

    /**
     * Not at all: one fixed address for all services.
     *
     * @param token sent along, if there is one
     */
    record Fixed(String endpoint, Optional<Secret> token) implements Authentication {}
}
