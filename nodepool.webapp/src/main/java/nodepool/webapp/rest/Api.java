package nodepool.webapp.rest;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.regex.Pattern;
import nodepool.api.config.Configuration;
import nodepool.api.config.Problem;
import nodepool.api.config.ProviderEntry;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.listing.RecordList;
import nodepool.api.listing.RecordList.Row;
import nodepool.webapp.http.Answer;
import nodepool.webapp.http.Ask;
import nodepool.webapp.http.Page;
import nodepool.webapp.http.Refusal;
import nodepool.webapp.lists.SharedState;

/** Everything below {@code /api/v1} that can be read. */
public final class Api implements Page {

    /** Where it all begins. */
    public static final String ROOT = "/api/v1";

    private static final Pattern REQUEST_ID = Pattern.compile("[0-9]{1,9}-[0-9]{1,19}");

    private final Facts facts;
    private final Clock clock;

    public Api(Facts facts, Clock clock) {
        this.facts = facts;
        this.clock = clock;
    }

    @Override
    public CompletionStage<Answer> answer(Ask ask) {
        String path = ask.path().length() > ROOT.length() ? ask.path().substring(ROOT.length() + 1) : "";
        String[] parts = path.split("/", -1);
        Optional<Resource> resource = Resource.of(parts[0]);
        if (resource.isPresent() && parts.length == 1) {
            return list(resource.get(), ask);
        }
        if (resource.isPresent() && parts.length == 2 && resource.get().id().isPresent()) {
            return one(resource.get(), parts[1]);
        }
        if (parts.length == 3 && parts[0].equals("requests") && parts[2].equals("accounts")) {
            return accounts(parts[1]);
        }
        if (parts.length == 1) {
            return CompletableFuture.completedStage(Answer.json(200, local(path)));
        }
        throw unknown();
    }

    private static Refusal unknown() {
        return Refusal.notFound("there is no such path; see " + ROOT + "/openapi.json");
    }

    private RecordList source(Resource resource) {
        return facts.lists()
                .find(resource.list())
                .orElseThrow(() -> Refusal.unavailable("the commands are not installed"));
    }

    private CompletionStage<Answer> list(Resource resource, Ask ask) {
        RecordList source = source(resource);
        Instant now = clock.instant();
        Selection selection = Selection.of(ask.parameters(), source.fields(), now);
        SharedState.View view = facts.state().view();
        return source.rows(view.stores(), view.snapshot(), now).thenApply(all -> {
            List<Row> found = selection.of(all);
            Map<String, JsonValue> members = new LinkedHashMap<>();
            members.put("total", JsonValue.of(found.size()));
            members.put("offset", JsonValue.of(selection.offset()));
            members.put("snapshot", JsonValue.of(view.snapshot().number()));
            members.put("items", array(selection.page(found), row -> Documents.row(row, selection.fields())));
            return Answer.json(200, new JsonObject(members));
        });
    }

    private CompletionStage<Answer> one(Resource resource, String id) {
        RecordList source = source(resource);
        SharedState.View view = facts.state().view();
        String key = resource.id().orElseThrow();
        return source.rows(view.stores(), view.snapshot(), clock.instant())
                .thenApply(all -> all.stream()
                        .filter(row -> row.value(key).equals(JsonValue.of(id)))
                        .findFirst()
                        .map(row -> Answer.json(200, Documents.row(row, source.fields())))
                        .orElseThrow(() -> Refusal.notFound("nothing in " + resource.word() + " is called that")));
    }

    private CompletionStage<Answer> accounts(String request) {
        if (!REQUEST_ID.matcher(request).matches()) {
            throw Refusal.notFound("there is no such request");
        }
        SharedState.View view = facts.state().view();
        return view.stores().accounts().read(request).thenApply(found -> {
            if (found.isEmpty() && view.snapshot().request(request).isEmpty()) {
                throw Refusal.notFound("there is no such request");
            }
            return Answer.json(200, items(array(found, Documents::account)));
        });
    }

    /** What this process knows by itself. */
    private JsonObject local(String word) {
        return switch (word) {
            case "providers" -> items(array(facts.providers().get(), Documents::provider));
            case "pools" -> items(pools());
            case "drivers" -> items(drivers());
            case "configuration" -> configuration();
            case "openapi.json" -> OpenApi.document(facts.lists());
            default -> throw unknown();
        };
    }

    private JsonArray pools() {
        List<JsonValue> pools = new ArrayList<>();
        facts.providers()
                .get()
                .forEach(provider ->
                        provider.pools().forEach(pool -> pools.add(Documents.pool(provider.name(), pool))));
        return new JsonArray(pools);
    }

    /** Drivers that are here, and those that are wanted and are not. */
    private JsonArray drivers() {
        Map<String, List<String>> providers = new LinkedHashMap<>();
        List<String> here = facts.drivers().get();
        here.forEach(name -> providers.put(name, new ArrayList<>()));
        facts.configuration()
                .current()
                .map(Configuration::providers)
                .orElse(List.of())
                .forEach((ProviderEntry entry) -> providers
                        .computeIfAbsent(entry.driver(), missing -> new ArrayList<>())
                        .add(entry.name()));
        return array(List.copyOf(providers.entrySet()), driver -> {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            members.put("name", JsonValue.of(driver.getKey()));
            members.put("present", new JsonBool(here.contains(driver.getKey())));
            members.put("providers", JsonArray.ofTexts(driver.getValue()));
            return new JsonObject(members);
        });
    }

    private JsonObject configuration() {
        List<Problem> problems = facts.configuration().problems();
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("in_force", new JsonBool(facts.configuration().current().isPresent()));
        members.put(
                "file_usable",
                new JsonBool(problems.stream().noneMatch(one -> one.severity() == Problem.Severity.ERROR)));
        members.put("problems", array(problems, Documents::problem));
        return new JsonObject(members);
    }

    private static JsonObject items(JsonArray items) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("total", JsonValue.of(items.items().size()));
        members.put("items", items);
        return new JsonObject(members);
    }

    private static <T> JsonArray array(List<T> values, Function<T, JsonObject> document) {
        return new JsonArray(values.stream().<JsonValue>map(document).toList());
    }
}
