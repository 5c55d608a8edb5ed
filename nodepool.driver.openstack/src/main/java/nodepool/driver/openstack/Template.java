package nodepool.driver.openstack;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text with fields in braces; doubled braces stand for themselves.
 *
 * @param fields in their order
 * @param broken whether a brace has no partner
 */
record Template(List<String> fields, boolean broken) {

    /** What a name of an uploaded image may be made of. */
    static final List<String> IMAGE_FIELDS = List.of("image_name", "timestamp", "upload_id");

    /** What a property of a server may be made of. */
    static final List<String> REQUEST_FIELDS = List.of(
            "request.id",
            "request.labels",
            "request.requestor",
            "request.requestor_data",
            "request.relative_priority",
            "request.event_id",
            "request.created_time",
            "request.tenant_name");

    private static final Pattern FIELD = Pattern.compile("\\{([^{}]*)}");

    Template {
        fields = List.copyOf(fields);
    }

    static Template of(String text) {
        String plain = text.replace("{{", "").replace("}}", "");
        List<String> fields = new ArrayList<>();
        StringBuilder rest = new StringBuilder();
        Matcher matcher = FIELD.matcher(plain);
        while (matcher.find()) {
            fields.add(name(matcher.group(1)));
            matcher.appendReplacement(rest, "");
        }
        matcher.appendTail(rest);
        return new Template(fields, rest.indexOf("{") >= 0 || rest.indexOf("}") >= 0);
    }

    /** Without how it is to be written: {@code upload_id:0>10}, {@code upload_id!s}, {@code request.labels[0]}. */
    private static String name(String field) {
        return field.split("[:!\\[]", 2)[0];
    }
}
