package nodepool.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import nodepool.api.node.Node;
import nodepool.api.verdict.Reason;

/**
 * How a request's open seats can be filled right now.
 *
 * @param choices one for each open seat, in order
 * @param shortage why the last seats have to wait; absent if all can be filled
 */
record Plan(List<Choice> choices, Optional<Reason> shortage) {

    /** What becomes of one seat. */
    sealed interface Choice {

        /** A ready node takes it. */
        record Reuse(Node node) implements Choice {}

        /**
         * A node is made for it.
         *
         * @param token of the room set aside in the quota ledger
         * @param draft to be recorded
         */
        record Make(Object token, Node draft) implements Choice {}

        /** It stays open. */
        record Wait() implements Choice {}
    }

    Plan {
        choices = List.copyOf(choices);
    }

    /** The nodes to be recorded, in the order of their seats. */
    List<Node> drafts() {
        List<Node> drafts = new ArrayList<>();
        for (Choice choice : choices) {
            if (choice instanceof Choice.Make make) {
                drafts.add(make.draft());
            }
        }
        return drafts;
    }

    /** The ready nodes to be taken. */
    List<Node> reused() {
        List<Node> nodes = new ArrayList<>();
        for (Choice choice : choices) {
            if (choice instanceof Choice.Reuse reuse) {
                nodes.add(reuse.node());
            }
        }
        return nodes;
    }

    /** Gives back the room that was set aside. */
    void release(QuotaLedger ledger) {
        for (Choice choice : choices) {
            if (choice instanceof Choice.Make make) {
                ledger.release(make.token());
            }
        }
    }
}
