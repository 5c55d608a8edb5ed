package nodepool.launcher;

/**
 * How many of the launches that a cloud refused may be tried again at the same time: one after a refusal, and after each
 * machine that comes nevertheless one more for it. A cloud without room is asked by one at a time, and one that has room
 * again is not served one by one. Thread-safe.
 */
final class Probes {

    private int allowed = Integer.MAX_VALUE;

    synchronized int allowed() {
        return allowed;
    }

    /** The cloud refused a machine for lack of quota. */
    synchronized void refused() {
        allowed = 1;
    }

    /** A machine came. */
    synchronized void came() {
        allowed = allowed == Integer.MAX_VALUE ? allowed : allowed + 1;
    }
}
