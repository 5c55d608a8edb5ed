package nodepool.cli.completion;

import java.util.List;
import nodepool.cli.options.Syntax;

/** For zsh, to be found in its {@code fpath} as {@code _nodepool}. */
public final class ZshCompletion {

    private static final String SCRIPT = """
            #compdef nodepool
            # Completes the command lines of nodepool in zsh.
            _nodepool() {
                local current=$words[CURRENT] previous=$words[CURRENT-1]
                local command= options= choices= values=- i
                for ((i = 2; i < CURRENT; i++)); do
                    case $words[i] in
                        GENERAL_WITH_VALUE) ((i++)) ;;
                        -*) ;;
                        *) command=$words[i]; break ;;
                    esac
                done
                case $previous in
                    GENERAL_WITH_FILE) _files; return ;;
                    GENERAL_WITH_VALUE) return 1 ;;
                esac
                if [[ -z $command ]]; then
                    compadd -- NAMES GENERAL
                    return
                fi
                case "$command $previous" in
            VALUES    esac
                if [[ $values != - ]]; then
                    [[ -n $values ]] && compadd -- ${=values}
                    return
                fi
                case $command in
            OPTIONS    esac
                if ((i == CURRENT - 1)); then
                    case $command in
            WORDS        esac
                fi
                compadd -- ${=choices} ${=options} || _files
            }
            if [[ $funcstack[1] = _nodepool ]]; then
                _nodepool "$@"
            else
                compdef _nodepool nodepool
            fi
            """;

    private ZshCompletion() {}

    /** A script to be sourced, or to be autoloaded. */
    public static String of(List<Syntax> commands) {
        CommandTable table = new CommandTable(commands);
        return SCRIPT.replace("GENERAL_WITH_VALUE", CommandTable.generalWithValue())
                .replace("GENERAL_WITH_FILE", CommandTable.generalWithFile())
                .replace("NAMES GENERAL", table.names() + " " + CommandTable.names(CommandTable.general()))
                .replace("VALUES", table.valueLines())
                .replace("OPTIONS", table.optionLines())
                .replace("WORDS    ", table.wordLines().replace(" words=", " choices=") + "    ");
    }
}
