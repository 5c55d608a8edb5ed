package nodepool.cli.completion;

import java.util.List;
import nodepool.cli.options.Syntax;

/** For bash, without the help of any package. */
public final class BashCompletion {

    private static final String SCRIPT = """
            # Completes the command lines of nodepool in bash.
            _nodepool() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
                local command= options= words= values=- i
                for ((i = 1; i < COMP_CWORD; i++)); do
                    case ${COMP_WORDS[i]} in
                        GENERAL_WITH_VALUE) ((i++)) ;;
                        -*) ;;
                        *) command=${COMP_WORDS[i]}; break ;;
                    esac
                done
                COMPREPLY=()
                case $previous in
                    GENERAL_WITH_FILE) COMPREPLY=($(compgen -f -- "$current")); return ;;
                    GENERAL_WITH_VALUE) return ;;
                esac
                if [ -z "$command" ]; then
                    COMPREPLY=($(compgen -W 'NAMES GENERAL' -- "$current"))
                    return
                fi
                case "$command $previous" in
            VALUES    esac
                if [ "$values" != - ]; then
                    COMPREPLY=($(compgen -W "$values" -- "$current"))
                    return
                fi
                case $command in
            OPTIONS    esac
                if [ "$i" = $((COMP_CWORD - 1)) ]; then
                    case $command in
            WORDS        esac
                fi
                COMPREPLY=($(compgen -W "$words $options" -- "$current"))
            }
            complete -o default -F _nodepool nodepool
            """;

    private BashCompletion() {}

    /** A script to be sourced. */
    public static String of(List<Syntax> commands) {
        CommandTable table = new CommandTable(commands);
        return SCRIPT.replace("GENERAL_WITH_VALUE", CommandTable.generalWithValue())
                .replace("GENERAL_WITH_FILE", CommandTable.generalWithFile())
                .replace("NAMES GENERAL", table.names() + " " + CommandTable.names(CommandTable.general()))
                .replace("VALUES", table.valueLines())
                .replace("OPTIONS", table.optionLines())
                .replace("WORDS    ", table.wordLines() + "    ");
    }
}
