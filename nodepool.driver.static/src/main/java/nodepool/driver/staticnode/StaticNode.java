package nodepool.driver.staticnode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import nodepool.api.node.Node;

/**
 * One entry under {@code nodes}: one user at one port of one host.
 *
 * @param name host name or address
 * @param labels what it serves
 * @param username to log in as
 * @param timeout of a connection check
 * @param hostKeyChecking whether it is checked at all before it is used
 * @param hostKeys that the host must offer; empty: any
 * @param connectionType {@code ssh}, {@code winrm}, …
 * @param port to connect to
 * @param shellType for the consumer
 * @param pythonPath for the consumer
 * @param slots jobs at the same time
 */
record StaticNode(
        String name,
        List<String> labels,
        String username,
        Duration timeout,
        boolean hostKeyChecking,
        List<String> hostKeys,
        String connectionType,
        int port,
        Optional<String> shellType,
        String pythonPath,
        int slots) {

    StaticNode {
        labels = List.copyOf(labels);
        hostKeys = List.copyOf(hostKeys);
    }

    /** What tells entries apart; at most one entry has it. */
    record Identity(String name, String username, int port) {

        /** Of the entry a record was made for, as far as the record says so. */
        static Identity of(Node record) {
            return new Identity(
                    record.machine().hostname().orElse(""),
                    record.connection().username().orElse(""),
                    record.connection().portNumber().orElse(-1));
        }

        @Override
        public String toString() {
            return username + "@" + name + ":" + port;
        }
    }

    Identity identity() {
        return new Identity(name, username, port);
    }

    /** Whether the host speaks SSH, so that it has host keys. */
    boolean speaksSsh() {
        return connectionType.equals("ssh") || connectionType.equals("network_cli");
    }
}
