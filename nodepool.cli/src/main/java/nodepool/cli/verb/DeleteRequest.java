package nodepool.cli.verb;

import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;

/** {@code request-delete}: withdraws requests as their requestor could. Launchers let go of what they made for them. */
final class DeleteRequest implements Verb {

    private final Syntax syntax = Verb.named("request-delete", "withdraw node requests, whoever made them")
            .with(Positional.some("REQUEST", "id of a request"))
            .example("nodepool request-delete 200-0000000012");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        int code = 0;
        for (String id : call.arguments().words()) {
            boolean known = call.context().snapshot().request(id).isPresent();
            if (known && call.context().await(call.context().stores().requests().delete(id))) {
                continue;
            }
            call.out().println("Request " + id + " not found");
            code = 1;
        }
        return code;
    }
}
