package nodepool.driver.statemachine.keyscan;

import java.io.IOException;

/** The other side does not speak SSH as it should; the message says what it did. */
final class SshException extends IOException {

    private static final long serialVersionUID = 1;

    SshException(String message) {
        super(message);
    }
}
