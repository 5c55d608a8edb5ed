package nodepool.driver.openstack.clouds;

/**
 * A password, token or the like. Shows itself to nobody who does not ask for {@link #value}.
 *
 * @param value the secret itself, for requests only
 */
public record Secret(String value) {

    @Override
    public String toString() {
        return "(secret)";
    }
}
