package nodepool.cli.verb;

import java.util.List;
import nodepool.cli.completion.BashCompletion;
import nodepool.cli.completion.FishCompletion;
import nodepool.cli.completion.ZshCompletion;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;

/** {@code completion}: what makes a shell complete our command lines. */
final class PrintCompletion implements Verb {

    private final Syntax syntax = Verb.named("completion", "print what makes a shell complete these commands")
            .with(Positional.oneOf("SHELL", List.of("bash", "zsh", "fish"), "bash, zsh or fish"))
            .example("nodepool completion bash > /etc/bash_completion.d/nodepool")
            .example("nodepool completion zsh > /usr/local/share/zsh/site-functions/_nodepool")
            .example("nodepool completion fish > ~/.config/fish/completions/nodepool.fish");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) {
        List<Syntax> commands = Verbs.all().stream().map(Verb::syntax).toList();
        call.out()
                .print(
                        switch (call.arguments().word()) {
                            case "bash" -> BashCompletion.of(commands);
                            case "zsh" -> ZshCompletion.of(commands);
                            default -> FishCompletion.of(commands);
                        });
        return 0;
    }
}
