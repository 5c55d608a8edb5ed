package nodepool.builder.decision;

import static nodepool.api.image.ImageState.BUILDING;
import static nodepool.api.image.ImageState.FAILED;
import static nodepool.api.image.ImageState.READY;
import static nodepool.builder.decision.Records.NOW;
import static nodepool.builder.decision.Records.build;
import static nodepool.builder.decision.Records.building;
import static nodepool.builder.decision.Records.facts;
import static nodepool.builder.decision.Records.paused;
import static nodepool.builder.decision.Records.requested;
import static nodepool.builder.decision.Records.wish;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import nodepool.builder.decision.BuildDecision.Build;
import nodepool.builder.decision.BuildDecision.Cause;
import nodepool.builder.decision.BuildDecision.Rest;
import org.junit.jupiter.api.Test;

class BuildDecisionTest {

    private static final ImageFacts NOTHING = facts(List.of());
    private static final ImageFacts FRESH = facts(List.of(build(1, READY, 2)));

    private static BuildDecision decide(ImageFacts facts) {
        return BuildDecision.of(wish("qcow2"), facts, NOW);
    }

    @Test
    void an_image_without_a_ready_build_is_built() {
        assertEquals(new Build(Cause.NEVER_BUILT), decide(NOTHING));
        assertEquals(new Build(Cause.NEVER_BUILT), decide(facts(List.of(build(1, FAILED, 1)))));
    }

    @Test
    void a_fresh_build_rests_until_it_is_old() {
        assertEquals(new Rest("fresh", Optional.of(NOW.plus(Duration.ofHours(22)))), decide(FRESH));
        assertEquals(new Build(Cause.TOO_OLD), decide(facts(List.of(build(1, READY, 24)))));
    }

    @Test
    void the_age_counts_from_the_newest_ready_build_whatever_its_id() {
        assertInstanceOf(Rest.class, decide(facts(List.of(build(1, READY, 1), build(9, READY, 30)))));
        assertEquals(new Build(Cause.TOO_OLD), decide(facts(List.of(build(1, READY, 30), build(2, BUILDING, 1)))));
    }

    @Test
    void a_format_that_a_new_provider_wants_is_a_reason() {
        assertEquals(new Build(Cause.FORMAT_MISSING), BuildDecision.of(wish("qcow2", "vhd"), FRESH, NOW));
    }

    @Test
    void fewer_formats_than_there_are_is_no_reason() {
        ImageFacts both = facts(List.of(build(1, READY, 2)));
        assertInstanceOf(Rest.class, BuildDecision.of(wish("qcow2"), both, NOW));
    }

    @Test
    void a_request_is_a_reason_however_fresh_the_build_is() {
        assertEquals(new Build(Cause.REQUESTED), decide(requested(FRESH)));
    }

    @Test
    void pauses_of_both_kinds_hold_requests_back_too() {
        assertInstanceOf(Rest.class, decide(paused(requested(FRESH))));
        BuildWish pausedInFile = new BuildWish(Records.image(true), new TreeSet<>(List.of("qcow2")));
        assertInstanceOf(Rest.class, BuildDecision.of(pausedInFile, requested(FRESH), NOW));
    }

    @Test
    void an_image_without_formats_is_not_for_this_builder() {
        assertInstanceOf(Rest.class, BuildDecision.of(wish(), requested(NOTHING), NOW));
    }

    @Test
    void what_somebody_builds_is_not_built_again() {
        assertInstanceOf(Rest.class, decide(building(requested(NOTHING))));
    }
}
