package nodepool.driver.openstack.clouds;

/** No settings for a cloud can be made of the files. The message names what to change, and never a secret. */
public final class CloudsException extends Exception {
    private static final long serialVersionUID = 1L;

    public CloudsException(String message) {
        super(message);
    }

    public CloudsException(String message, Throwable cause) {
        super(message, cause);
    }
}
