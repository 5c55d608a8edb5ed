package nodepool.builder.decision;

import static nodepool.api.image.ImageState.BUILDING;
import static nodepool.api.image.ImageState.DELETING;
import static nodepool.api.image.ImageState.FAILED;
import static nodepool.api.image.ImageState.READY;
import static nodepool.api.image.ImageState.UPLOADING;
import static nodepool.builder.decision.Records.build;
import static nodepool.builder.decision.Records.building;
import static nodepool.builder.decision.Records.facts;
import static nodepool.builder.decision.Records.upload;
import static nodepool.builder.decision.Records.uploading;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageUpload;
import nodepool.builder.decision.Withdrawal.OfBuild;
import nodepool.builder.decision.Withdrawal.OfBuildRecord;
import nodepool.builder.decision.Withdrawal.OfImage;
import nodepool.builder.decision.Withdrawal.OfUpload;
import org.junit.jupiter.api.Test;

class WithdrawalTest {

    private static final Map<String, Boolean> LISTED = Map.of("p", true);
    private static final ImageBuild OLD = build(1, READY, 9);
    private static final ImageBuild MIDDLE = build(2, READY, 6);
    private static final ImageBuild NEW = build(3, READY, 3);

    private static List<Withdrawal> decide(ImageFacts facts) {
        return Withdrawal.of(facts, true, LISTED);
    }

    @Test
    void two_ready_builds_and_two_ready_uploads_stay() {
        assertEquals(
                List.of(),
                decide(facts(List.of(OLD, MIDDLE), upload(1, "p", 1, READY, 8), upload(2, "p", 1, READY, 5))));
    }

    @Test
    void the_third_build_pushes_the_oldest_out_upload_first() {
        ImageUpload oldest = upload(1, "p", 1, READY, 8);
        ImageFacts three =
                facts(List.of(OLD, MIDDLE, NEW), oldest, upload(2, "p", 1, READY, 5), upload(3, "p", 1, READY, 2));
        assertEquals(List.of(new OfUpload(oldest)), decide(three));

        ImageFacts marked = facts(
                List.of(OLD, MIDDLE, NEW),
                upload(1, "p", 1, DELETING, 1),
                upload(2, "p", 1, READY, 5),
                upload(3, "p", 1, READY, 2));
        assertEquals(List.of(new OfUpload(upload(1, "p", 1, DELETING, 1)), new OfBuild(OLD)), decide(marked));
    }

    @Test
    void an_old_build_stays_while_its_upload_is_one_of_the_two_newest_of_a_slow_provider() {
        ImageFacts slow = facts(List.of(OLD, MIDDLE, NEW), upload(1, "p", 1, READY, 8), upload(2, "p", 1, READY, 5));
        assertEquals(List.of(), decide(slow));
    }

    @Test
    void an_old_build_without_uploads_goes_and_its_record_after_it() {
        assertEquals(List.of(new OfBuild(OLD)), decide(facts(List.of(OLD, MIDDLE, NEW))));
        ImageBuild deleting = build(1, DELETING, 9);
        assertEquals(List.of(new OfBuildRecord(deleting)), decide(facts(List.of(deleting, MIDDLE, NEW))));
    }

    @Test
    void a_build_deleted_by_command_goes_with_its_uploads() {
        ImageBuild deleting = build(3, DELETING, 3);
        ImageUpload upload = upload(3, "p", 1, READY, 2);
        assertEquals(List.of(new OfUpload(upload)), decide(facts(List.of(deleting), upload)));
    }

    @Test
    void a_build_whose_builder_died_goes_and_one_under_way_stays() {
        ImageBuild half = build(4, BUILDING, 0);
        assertEquals(List.of(new OfBuild(half)), decide(facts(List.of(NEW, half))));
        assertEquals(List.of(), decide(building(facts(List.of(NEW, half)))));
    }

    @Test
    void a_failed_build_is_shown_until_there_is_a_newer_one() {
        ImageBuild failed = build(4, FAILED, 1);
        assertEquals(List.of(), decide(facts(List.of(NEW, failed))));
        ImageBuild next = build(5, BUILDING, 0);
        assertEquals(List.of(new OfBuild(failed)), decide(building(facts(List.of(NEW, failed, next)))));
    }

    @Test
    void an_upload_whose_uploader_died_goes_and_one_under_way_stays() {
        ImageUpload half = upload(3, "p", 1, UPLOADING, 0);
        assertEquals(List.of(new OfUpload(half)), decide(facts(List.of(NEW), half)));
        assertEquals(List.of(), decide(uploading(facts(List.of(NEW), half), 3, "p")));
    }

    @Test
    void a_failed_upload_is_shown_until_the_next_attempt() {
        ImageUpload failed = upload(3, "p", 1, FAILED, 1);
        assertEquals(List.of(), decide(facts(List.of(NEW), failed)));
        ImageUpload next = upload(3, "p", 2, READY, 0);
        assertEquals(List.of(new OfUpload(failed)), decide(facts(List.of(NEW), failed, next)));
    }

    @Test
    void a_provider_that_no_longer_lists_the_image_loses_its_uploads() {
        ImageUpload gone = upload(3, "q", 1, READY, 1);
        ImageFacts facts = facts(List.of(NEW), upload(3, "p", 1, READY, 2), gone);
        assertEquals(List.of(new OfUpload(gone)), Withdrawal.of(facts, true, Map.of("p", true, "q", false)));
    }

    @Test
    void nothing_of_a_provider_that_is_not_configured_is_touched() {
        ImageFacts facts = facts(List.of(NEW), upload(3, "elsewhere", 1, READY, 1));
        assertEquals(List.of(), decide(facts));
    }

    @Test
    void a_ready_build_without_uploads_stays_though_another_builder_made_it() {
        assertEquals(List.of(), Withdrawal.of(facts(List.of(NEW)), true, Map.of()));
    }

    @Test
    void an_image_removed_from_the_configuration_goes_step_by_step() {
        ImageUpload upload = upload(3, "p", 1, READY, 1);
        Map<String, Boolean> dropped = Map.of("p", false);
        assertEquals(List.of(new OfUpload(upload)), Withdrawal.of(facts(List.of(NEW), upload), false, dropped));
        ImageUpload deleting = upload(3, "p", 1, DELETING, 1);
        assertEquals(
                List.of(new OfUpload(deleting), new OfBuild(NEW)),
                Withdrawal.of(facts(List.of(NEW), deleting), false, dropped));
        assertEquals(List.of(new OfImage("debian")), Withdrawal.of(facts(List.of()), false, dropped));
        assertEquals(List.of(), Withdrawal.of(Records.paused(facts(List.of())), false, dropped));
    }
}
