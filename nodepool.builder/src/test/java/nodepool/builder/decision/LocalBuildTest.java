package nodepool.builder.decision;

import static nodepool.api.image.ImageState.BUILDING;
import static nodepool.api.image.ImageState.DELETING;
import static nodepool.api.image.ImageState.FAILED;
import static nodepool.api.image.ImageState.READY;
import static nodepool.builder.decision.Records.build;
import static nodepool.builder.decision.Records.facts;
import static nodepool.builder.decision.Records.id;
import static nodepool.builder.decision.Records.upload;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import nodepool.api.driver.WantedImages;
import org.junit.jupiter.api.Test;

class LocalBuildTest {

    private static final String STEM = "debian-" + id(1);

    @Test
    void everything_behind_the_id_belongs_to_the_build() {
        List<String> names = List.of(
                STEM + ".d",
                STEM + ".qcow2",
                STEM + ".qcow2.md5",
                STEM + ".raw-new",
                "debian-bookworm-0000000042.raw",
                "backup-2024.img",
                "builder_id.txt");

        assertEquals(
                List.of(
                        new LocalBuild("debian", id(1), names.subList(0, 4)),
                        new LocalBuild("debian-bookworm", "0000000042", names.subList(4, 5))),
                LocalBuild.of(names));
    }

    @Test
    void checksums_manifests_and_work_files_are_no_formats() {
        LocalBuild local = new LocalBuild(
                "debian",
                id(1),
                List.of(STEM + ".d", STEM + ".qcow2", STEM + ".qcow2.md5", STEM + ".raw", STEM + ".vhd-new"));
        assertEquals(Set.of("qcow2", "raw"), local.formats());
    }

    @Test
    void files_go_with_their_record_and_wait_for_its_builder() {
        LocalBuild local = new LocalBuild("debian", id(1), List.of(STEM + ".d"));
        assertTrue(local.isStray(Optional.empty()));
        assertTrue(local.isStray(Optional.of(build(1, DELETING, 1))));
        assertFalse(local.isStray(Optional.of(build(1, READY, 1))));
        assertFalse(local.isStray(Optional.of(build(1, BUILDING, 1))));
        assertFalse(local.isStray(Optional.of(build(1, FAILED, 1))));
    }

    @Test
    void formats_uploaded_everywhere_go_and_kept_or_needed_ones_stay() {
        List<String> names = List.of(
                STEM + ".d",
                STEM + ".qcow2",
                STEM + ".qcow2.md5",
                STEM + ".raw",
                STEM + ".raw.md5",
                STEM + ".raw.sha256",
                STEM + ".vhd");
        LocalBuild local = new LocalBuild("debian", id(1), names);
        ImageFacts facts = facts(List.of(build(1, READY, 1)), upload(1, "q", 1, READY, 0), upload(1, "r", 1, READY, 0));
        Map<String, WantedImages> providers = Map.of("q", wanting("qcow2"), "r", wanting("raw"), "v", wanting("vhd"));

        assertEquals(
                List.of(STEM + ".raw", STEM + ".raw.md5", STEM + ".raw.sha256"),
                local.surplus(build(1, READY, 1), Records.withKeptFormats("qcow2"), facts, providers));
        assertEquals(
                List.of(), local.surplus(build(1, BUILDING, 1), Records.withKeptFormats("qcow2"), facts, providers));
        assertEquals(List.of(), local.surplus(build(1, READY, 1), Records.image(false), facts, providers));
    }

    private static WantedImages wanting(String format) {
        return new WantedImages(
                format, "", Optional.empty(), List.of(new WantedImages.Entry("debian", false, Map.of())));
    }
}
