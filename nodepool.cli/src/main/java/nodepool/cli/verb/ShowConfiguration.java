package nodepool.cli.verb;

import java.util.List;
import nodepool.api.config.Configuration;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.cli.options.Option;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.JsonWriting;
import nodepool.cli.output.YamlWriting;

/** {@code config-show}: the configuration as it is in force, without its secrets. */
final class ShowConfiguration implements Verb {

    private final Syntax syntax = Verb.named(
                    "config-show", "show the configuration with inheritance and defaults worked out, secrets hidden")
            .with(Option.oneOf(List.of("yaml", "json"), "form of the output; default: yaml", "--format"))
            .example("nodepool -c nodepool.yaml -s secure.conf config-show");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        Configuration configuration = Configurations.usable(call.context().validate(), call);
        JsonObject document = Redaction.of(configuration).applyTo(ConfigurationDocument.of(configuration));
        boolean json = call.arguments().value("--format").filter("json"::equals).isPresent();
        call.out().print(json ? JsonWriting.indented(document) + "\n" : YamlWriting.block(document));
        return 0;
    }
}
