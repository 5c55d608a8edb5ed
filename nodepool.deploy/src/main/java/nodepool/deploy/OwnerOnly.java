package nodepool.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * Whether nobody but its owner can change a file: by its own permissions, and by those of every folder above it and above
 * what it links to. The owner must be the one this process runs as, or root.
 */
final class OwnerOnly {

    private static final int STICKY = 01000;
    private static final String ROOT = "root";

    private final String self;

    /** @param self the user whose files are trusted besides root's */
    OwnerOnly(String self) {
        this.self = self;
    }

    /** @throws RefusedException naming the first file or folder that somebody else could change */
    void require(Path file) throws IOException, RefusedException {
        Path content = file.toRealPath();
        requireHere(content);
        requireAbove(content);
        requireAbove(file.toAbsolutePath());
    }

    private void requireAbove(Path file) throws IOException, RefusedException {
        Path here = file.getParent();
        for (Path folder = here == null ? null : here.toRealPath(); folder != null; folder = folder.getParent()) {
            // In a sticky folder such as /tmp, others can add files but not replace ours.
            if (!isSticky(folder)) {
                requireHere(folder);
            }
        }
    }

    private void requireHere(Path path) throws IOException, RefusedException {
        PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
        String owner = attributes.owner().getName();
        if (!owner.equals(self) && !owner.equals(ROOT)) {
            throw new RefusedException("%s belongs to %s, and this runs as %s".formatted(path, owner, self));
        }
        Set<PosixFilePermission> permissions = attributes.permissions();
        if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new RefusedException("everybody may write to " + path);
        }
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)) {
            throw new RefusedException(
                    "group %s may write to %s".formatted(attributes.group().getName(), path));
        }
    }

    private static boolean isSticky(Path folder) throws IOException {
        return ((int) Files.getAttribute(folder, "unix:mode") & STICKY) != 0;
    }
}
