package nodepool.builder.decision;

import static nodepool.api.image.ImageState.DELETING;
import static nodepool.api.image.ImageState.FAILED;
import static nodepool.api.image.ImageState.READY;
import static nodepool.api.image.ImageState.UPLOADING;
import static nodepool.builder.decision.Records.build;
import static nodepool.builder.decision.Records.facts;
import static nodepool.builder.decision.Records.id;
import static nodepool.builder.decision.Records.upload;
import static nodepool.builder.decision.Records.uploading;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import nodepool.api.driver.WantedImages;
import nodepool.api.image.ImageBuild;
import org.junit.jupiter.api.Test;

class UploadWishTest {

    private static List<String> decide(ImageFacts facts, boolean paused, Set<String> filesHere) {
        WantedImages wanted = new WantedImages(
                "qcow2", "{image_name}", Optional.empty(), List.of(new WantedImages.Entry("debian", paused, Map.of())));
        return UploadWish.of("p", wanted, name -> Optional.of(Records.image(false)), name -> facts, build -> filesHere)
                .stream()
                .map(UploadWish::build)
                .map(ImageBuild::id)
                .toList();
    }

    private static List<String> decide(ImageFacts facts) {
        return decide(facts, false, Set.of("qcow2"));
    }

    @Test
    void only_the_newest_ready_build_is_uploaded() {
        assertEquals(List.of(id(2)), decide(facts(List.of(build(1, READY, 3), build(2, READY, 1)))));
        assertEquals(List.of(), decide(facts(List.of(build(1, FAILED, 3)))));
    }

    @Test
    void what_is_uploaded_is_not_uploaded_again() {
        ImageFacts uploaded = facts(List.of(build(1, READY, 3)), upload(1, "p", 1, READY, 2));
        assertEquals(List.of(), decide(uploaded));
    }

    @Test
    void a_failed_upload_or_one_being_deleted_does_not_count() {
        assertEquals(List.of(id(1)), decide(facts(List.of(build(1, READY, 3)), upload(1, "p", 1, FAILED, 2))));
        assertEquals(List.of(id(1)), decide(facts(List.of(build(1, READY, 3)), upload(1, "p", 1, DELETING, 2))));
    }

    @Test
    void an_upload_to_another_provider_does_not_count() {
        assertEquals(List.of(id(1)), decide(facts(List.of(build(1, READY, 3)), upload(1, "q", 1, READY, 2))));
    }

    @Test
    void one_under_way_is_left_alone_with_and_without_its_record() {
        assertEquals(List.of(), decide(facts(List.of(build(1, READY, 3)), upload(1, "p", 1, UPLOADING, 2))));
        assertEquals(List.of(), decide(uploading(facts(List.of(build(1, READY, 3))), 1, "p")));
    }

    @Test
    void the_file_in_the_provider_s_format_must_be_here() {
        ImageFacts facts = facts(List.of(build(1, READY, 3)));
        assertEquals(List.of(), decide(facts, false, Set.of("raw")));
        assertEquals(List.of(), decide(facts, false, Set.of()));
    }

    @Test
    void an_image_paused_at_the_provider_is_not_uploaded_there() {
        assertEquals(List.of(), decide(facts(List.of(build(1, READY, 3))), true, Set.of("qcow2")));
    }

    @Test
    void the_first_upload_of_a_provider_never_waits_for_others() {
        UploadSlots two = new UploadSlots(2);
        assertTrue(two.allow("p", List.of("q", "q")));
        assertFalse(two.allow("q", List.of("q", "p")));
        assertTrue(two.allow("q", List.of("q")));
    }
}
