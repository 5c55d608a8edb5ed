package nodepool.driver.statemachine.keyscan;

import java.util.List;

/** The host keys that are gathered, in order of preference. */
enum HostKeyType {
    ED25519,
    ECDSA_256,
    ECDSA_384,
    ECDSA_521,
    RSA,
    DSA;

    /** Its names in the negotiation; one key may sign in several ways. */
    List<String> algorithms() {
        return switch (this) {
            case ED25519 -> List.of("ssh-ed25519");
            case ECDSA_256 -> List.of("ecdsa-sha2-nistp256");
            case ECDSA_384 -> List.of("ecdsa-sha2-nistp384");
            case ECDSA_521 -> List.of("ecdsa-sha2-nistp521");
            case RSA -> List.of("rsa-sha2-512", "rsa-sha2-256", "ssh-rsa");
            case DSA -> List.of("ssh-dss");
        };
    }

    boolean isAmong(List<String> offered) {
        return algorithms().stream().anyMatch(offered::contains);
    }
}
