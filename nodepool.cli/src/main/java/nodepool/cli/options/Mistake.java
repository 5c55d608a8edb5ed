package nodepool.cli.options;

import java.util.List;
import java.util.stream.Collectors;

/** The command line cannot be meant. The message is what stands behind {@code error:}. */
public final class Mistake extends Exception {
    private static final long serialVersionUID = 1L;

    public Mistake(String problem) {
        super(problem);
    }

    /** As messages of this kind are worded. */
    public static String invalidChoice(String value, List<String> choices) {
        return "invalid choice: '" + value + "' (choose from "
                + choices.stream().map(choice -> "'" + choice + "'").collect(Collectors.joining(", ")) + ")";
    }
}
