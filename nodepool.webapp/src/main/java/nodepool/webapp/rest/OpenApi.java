package nodepool.webapp.rest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.listing.RecordList;
import nodepool.api.listing.RecordList.Field;
import nodepool.webapp.lists.SharedLists;

/** The description of the interface, made from the lists that answer. */
final class OpenApi {

    private static final Map<String, String> LOCAL = new LinkedHashMap<>();

    static {
        LOCAL.put(
                "providers",
                "Providers of this launcher: whether they are in service, their trouble, limits and pools.");
        LOCAL.put("pools", "Pools of this launcher: what they may use, what they use, what is left.");
        LOCAL.put("drivers", "Drivers that are here, and those the configuration wants and are not.");
        LOCAL.put(
                "configuration", "Whether a configuration is in force, and what is wrong with the file as it stands.");
        LOCAL.put("openapi.json", "This document.");
    }

    private OpenApi() {}

    static JsonObject document(SharedLists lists) {
        Map<String, JsonValue> paths = new LinkedHashMap<>();
        for (Resource resource : Resource.all()) {
            List<Field> fields =
                    lists.find(resource.list()).map(RecordList::fields).orElse(List.of());
            paths.put(Api.ROOT + "/" + resource.word(), get(resource.summary(), query(fields), page(fields)));
            resource.id()
                    .ifPresent(key -> paths.put(
                            Api.ROOT + "/" + resource.word() + "/{" + key + "}",
                            get("One of " + resource.word() + ".", path(key), rowOf(fields))));
        }
        paths.put(
                Api.ROOT + "/requests/{id}/accounts",
                get("What every pool answers to a request and why, and what it has done.", path("id"), any()));
        LOCAL.forEach((word, summary) -> paths.put(Api.ROOT + "/" + word, get(summary, List.of(), any())));
        paths.put(
                Api.ROOT + "/events",
                get(
                        "Changes, as a stream of server-sent events: hello, nodes, requests, other, resync.",
                        List.of(),
                        any()));
        return object(Map.of(
                "openapi", JsonValue.of("3.0.3"),
                "info",
                        object(Map.of(
                                "title", JsonValue.of("Nodepool"),
                                "version", JsonValue.of("1"),
                                "description", JsonValue.of("State of a Nodepool system, read from one launcher."))),
                "paths", new JsonObject(paths)));
    }

    private static JsonObject get(String summary, List<JsonValue> parameters, JsonObject schema) {
        Map<String, JsonValue> answer = new LinkedHashMap<>();
        answer.put("description", JsonValue.of("As described."));
        answer.put("content", object(Map.of("application/json", object(Map.of("schema", schema)))));
        Map<String, JsonValue> responses = new LinkedHashMap<>();
        responses.put("200", new JsonObject(answer));
        responses.put("default", object(Map.of("description", JsonValue.of("An error: code, title and message."))));
        Map<String, JsonValue> operation = new LinkedHashMap<>();
        operation.put("summary", JsonValue.of(summary));
        operation.put("parameters", new JsonArray(parameters));
        operation.put("responses", new JsonObject(responses));
        return object(Map.of("get", new JsonObject(operation)));
    }

    private static List<JsonValue> query(List<Field> fields) {
        List<JsonValue> parameters = new java.util.ArrayList<>(List.of(
                parameter("query", "fields", "Only these fields, in this order, separated by commas."),
                parameter("query", "sort", "The field to sort by; with a hyphen before it the other way round."),
                parameter(
                        "query",
                        "limit",
                        "Items told at most, up to " + Selection.LARGEST_LIMIT + "; usually " + Selection.USUAL_LIMIT
                                + "."),
                parameter("query", "offset", "Items passed over."),
                parameter("query", "min_age", "Only those in their state for at least so many seconds.")));
        fields.forEach(field -> parameters.add(parameter(
                "query", field.key(), field.header() + ": only those with this value, or one of several: a,b.")));
        return parameters;
    }

    private static List<JsonValue> path(String key) {
        return List.of(parameter("path", key, "Which one."));
    }

    private static JsonValue parameter(String place, String name, String description) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("name", JsonValue.of(name));
        members.put("in", JsonValue.of(place));
        members.put("required", new JsonBool(place.equals("path")));
        members.put("description", JsonValue.of(description));
        members.put("schema", object(Map.of("type", JsonValue.of("string"))));
        return new JsonObject(members);
    }

    private static JsonObject page(List<Field> fields) {
        Map<String, JsonValue> properties = new LinkedHashMap<>();
        properties.put("total", typed("integer"));
        properties.put("offset", typed("integer"));
        properties.put("snapshot", typed("integer"));
        properties.put("items", object(Map.of("type", JsonValue.of("array"), "items", rowOf(fields))));
        return object(Map.of("type", JsonValue.of("object"), "properties", new JsonObject(properties)));
    }

    private static JsonObject rowOf(List<Field> fields) {
        Map<String, JsonValue> properties = new LinkedHashMap<>();
        fields.forEach(field ->
                properties.put(field.key(), object(Map.of("description", JsonValue.of(field.header())))));
        return object(Map.of("type", JsonValue.of("object"), "properties", new JsonObject(properties)));
    }

    private static JsonObject any() {
        return typed("object");
    }

    private static JsonObject typed(String type) {
        return object(Map.of("type", JsonValue.of(type)));
    }

    private static JsonObject object(Map<String, JsonValue> members) {
        return new JsonObject(new java.util.TreeMap<>(members));
    }
}
