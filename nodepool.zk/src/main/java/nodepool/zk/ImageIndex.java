package nodepool.zk;

import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageUpload;
import org.pcollections.TreePSet;

/**
 * Images, their builds and uploads. Immutable; a change shares all but a few entries with what it came from.
 *
 * @param names of images that have a record
 * @param builds by image, under their paths
 * @param uploads by image, under their paths
 * @param flags paths of what was commanded for images
 */
record ImageIndex(
        TreePSet<String> names, Grouped<ImageBuild> builds, Grouped<ImageUpload> uploads, TreePSet<String> flags) {

    static final ImageIndex EMPTY =
            new ImageIndex(TreePSet.empty(), Grouped.empty(), Grouped.empty(), TreePSet.empty());

    ImageIndex withName(String image) {
        return new ImageIndex(names.plus(image), builds, uploads, flags);
    }

    ImageIndex withoutName(String image) {
        return new ImageIndex(names.minus(image), builds, uploads, flags);
    }

    ImageIndex withFlag(String image, String path) {
        return new ImageIndex(names.plus(image), builds, uploads, flags.plus(path));
    }

    ImageIndex withoutFlag(String path) {
        return new ImageIndex(names, builds, uploads, flags.minus(path));
    }

    ImageIndex withBuild(String path, ImageBuild build) {
        return new ImageIndex(names, builds.with(build.image(), path, build), uploads, flags);
    }

    ImageIndex withoutBuild(String image, String path) {
        return new ImageIndex(names, builds.without(image, path), uploads, flags);
    }

    ImageIndex withUpload(String path, ImageUpload upload) {
        return new ImageIndex(names, builds, uploads.with(upload.image(), path, upload), flags);
    }

    ImageIndex withoutUpload(String image, String path) {
        return new ImageIndex(names, builds, uploads.without(image, path), flags);
    }
}
