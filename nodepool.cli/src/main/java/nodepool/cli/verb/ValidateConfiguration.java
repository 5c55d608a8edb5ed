package nodepool.cli.verb;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import nodepool.api.config.Problem;
import nodepool.api.config.Problem.Severity;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.cli.options.Option;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.JsonWriting;

/** {@code config-validate}. */
final class ValidateConfiguration implements Verb {

    private final Syntax syntax = Verb.named("config-validate", "validate the configuration file and the secure file")
            .with(
                    Option.flag("warnings count as errors", "--strict"),
                    Option.oneOf(List.of("text", "json"), "form of the output; default: text", "--format"))
            .example("nodepool -c nodepool.yaml -s secure.conf config-validate --strict");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) {
        boolean strict = call.arguments().has("--strict");
        List<Problem> problems = call.context().validate().problems().stream()
                .filter(problem -> problem.severity() != Severity.NOTICE)
                .toList();
        long errors = problems.stream().filter(one -> isError(one, strict)).count();
        long warnings = problems.size() - errors;
        if (call.arguments().value("--format").filter("json"::equals).isPresent()) {
            call.out().println(JsonWriting.indented(report(call, problems, strict, errors, warnings)));
        } else {
            tell(call, problems, strict);
            summarise(call, errors, warnings);
        }
        return errors > 0 ? 1 : 0;
    }

    private static boolean isError(Problem problem, boolean strict) {
        return strict || problem.severity() == Severity.ERROR || problem.severity() == Severity.UNKNOWN_KEY;
    }

    private static String word(Problem problem, boolean strict) {
        return isError(problem, strict) ? "error" : "warning";
    }

    private static void tell(Call call, List<Problem> problems, boolean strict) {
        PrintWriter out = call.out();
        for (Problem problem : problems) {
            String path = problem.path().isEmpty() ? "" : problem.path() + ": ";
            out.println(problem.at() + ": " + word(problem, strict) + ": " + path + problem.message());
        }
        out.flush();
    }

    private static void summarise(Call call, long errors, long warnings) {
        String name = call.context().configurationName();
        if (errors > 0) {
            call.err().println(name + ": " + counted(errors, "error") + ", " + counted(warnings, "warning"));
        } else if (warnings > 0) {
            call.err().println(name + ": configuration is valid, " + counted(warnings, "warning"));
        } else {
            call.err().println(name + ": configuration is valid");
        }
    }

    private static String counted(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    private static JsonObject report(Call call, List<Problem> problems, boolean strict, long errors, long warnings) {
        Map<String, JsonValue> report = new LinkedHashMap<>();
        report.put("file", JsonValue.of(call.context().configurationName()));
        report.put("valid", new JsonBool(errors == 0));
        report.put("errors", JsonValue.of(errors));
        report.put("warnings", JsonValue.of(warnings));
        report.put(
                "problems",
                new JsonArray(problems.stream()
                        .<JsonValue>map(problem -> document(problem, word(problem, strict)))
                        .toList()));
        return new JsonObject(report);
    }

    private static JsonObject document(Problem problem, String severity) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("file", JsonValue.of(problem.at().file()));
        members.put("line", JsonValue.of(problem.at().line()));
        members.put("column", JsonValue.of(problem.at().column()));
        members.put("severity", JsonValue.of(severity));
        members.put("path", JsonValue.of(problem.path()));
        members.put("message", JsonValue.of(problem.message()));
        return new JsonObject(members);
    }
}
