package nodepool.metrics.statsd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NameTemplateTest {

    @Test
    void fields_are_put_in_as_they_are() {
        NameTemplate template = NameTemplate.parse("nodepool.provider.<provider>.nodes.<state>");
        assertEquals(
                Optional.of("nodepool.provider.rax.dfw.nodes.in-use"),
                template.name(Map.of("provider", "rax.dfw", "state", "in-use"), false));
    }

    @Test
    void requestors_tenants_and_limits_are_cleaned_of_dots_and_colons() {
        NameTemplate template = NameTemplate.parse("<requestor>/<tenant>/<limit>/<image>");
        assertEquals(
                Optional.of("NodePool_min-ready/a_b/c_d/e.f"),
                template.name(
                        Map.of("requestor", "NodePool:min-ready", "tenant", "a.b", "limit", "c:d", "image", "e.f"),
                        false));
    }

    @Test
    void dots_in_all_fields_but_the_result_are_replaced_when_that_is_configured() {
        NameTemplate template = NameTemplate.parse("nodepool.launch.provider.<provider>.<result>");
        assertEquals(
                Optional.of("nodepool.launch.provider.a_b.error.quota"),
                template.name(Map.of("provider", "a.b", "result", "error.quota"), true));
    }

    @Test
    void a_name_that_needs_a_field_which_is_not_there_is_none() {
        NameTemplate template = NameTemplate.parse("nodepool.launch.image.<image>");
        assertEquals(Optional.empty(), template.name(Map.of("provider", "a"), false));
        assertEquals(Optional.empty(), template.name(Map.of("image", ""), false));
    }
}
