package nodepool.builder;

import java.util.Optional;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageState;
import nodepool.api.store.HeldLock;
import nodepool.api.store.ImageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes one build back: marks its record first, so that its files go, and removes the record when nothing is below it. Blocks. */
final class BuildWithdrawal {

    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.CleanupWorker");

    private final BuilderContext context;
    private final ImageStore images;

    BuildWithdrawal(BuilderContext context) {
        this.context = context;
        this.images = context.stores().images();
    }

    /** @param seen as it was when this was decided */
    Progress mark(ImageBuild seen) {
        if (seen.state() != ImageState.BUILDING) {
            return markLocked(seen);
        }
        Optional<HeldLock> lock = Answer.of(images.tryLockBuilds(seen.image()));
        if (lock.isEmpty()) {
            return Progress.STALE;
        }
        try {
            return markLocked(seen);
        } finally {
            Answer.of(images.unlock(lock.get()));
        }
    }

    private Progress markLocked(ImageBuild seen) {
        Optional<HeldLock> lock = Answer.of(images.tryLockBuild(seen));
        if (lock.isEmpty()) {
            return Progress.LATER;
        }
        try {
            Optional<ImageBuild> now =
                    Answer.of(images.readBuild(seen.image(), seen.id())).filter(still -> still.state() == seen.state());
            if (now.isEmpty()) {
                return Progress.STALE;
            }
            log.info(
                    "Build {} of image {}, {}, is withdrawn",
                    seen.id(),
                    seen.image(),
                    seen.state().wireName());
            ImageBuild deleting =
                    now.get().withState(ImageState.DELETING, context.clock().instant());
            return Answer.of(images.write(deleting, lock.get())).isPresent() ? Progress.CHANGED : Progress.STALE;
        } finally {
            Answer.of(images.unlock(lock.get()));
        }
    }

    /** Removes the record of a build that is marked. */
    Progress forget(ImageBuild seen) {
        Optional<HeldLock> lock = Answer.of(images.tryLockBuild(seen));
        if (lock.isEmpty()) {
            return Answer.of(images.readBuild(seen.image(), seen.id())).isEmpty() ? Progress.STALE : Progress.LATER;
        }
        try {
            if (!Answer.of(images.remove(seen, lock.get()))) {
                return Progress.LATER;
            }
            log.info("Build {} of image {} is removed", seen.id(), seen.image());
            return Progress.CHANGED;
        } finally {
            Answer.of(images.unlock(lock.get()));
        }
    }
}
