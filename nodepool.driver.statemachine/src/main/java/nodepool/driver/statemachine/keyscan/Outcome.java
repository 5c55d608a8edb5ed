package nodepool.driver.statemachine.keyscan;

import java.util.Set;

/** What a connection was good for. */
sealed interface Outcome {

    /** It was accepted, and nothing else was asked. */
    record Accepted() implements Outcome {}

    /**
     * A host key was shown.
     *
     * @param type asked for
     * @param entry {@code "type base64"}
     * @param others wanted types that the other side offers as well
     */
    record Gathered(HostKeyType type, String entry, Set<HostKeyType> others) implements Outcome {
        public Gathered {
            others = Set.copyOf(others);
        }
    }

    /** The other side speaks SSH, and has none of the wanted keys. */
    record NoKey() implements Outcome {}
}
