package nodepool.itest.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** An image that diskimage-builder makes in a few seconds, of one element, without a network and a distribution. */
final class TinyImage {

    private static final String ROOT = """
            #!/bin/bash
            set -eu
            for folder in dev proc sys tmp etc root var/log bin; do
                sudo mkdir -p "$TARGET_ROOT/$folder"
            done
            sudo chmod 1777 "$TARGET_ROOT/tmp"
            """;

    /** While there is a file that says so, it hangs in the middle, with everything mounted, and tells so in a pipe. */
    private static final String GATE = """
            #!/bin/bash
            if [ -e %1$s/hang ]; then
                echo $PPID >%1$s/hanging
                exec sleep 3600
            fi
            """;

    private TinyImage() {}

    /** Writes its elements. */
    static void write(Path elements) throws IOException {
        script(elements.resolve("tiny-root/root.d/10-tiny-root"), ROOT);
        Files.writeString(elements.resolve("tiny-root/element-provides"), "operating-system\n");
        script(elements.resolve("gate/pre-finalise.d/90-gate"), GATE.formatted(elements));
    }

    private static void script(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(file.getParent().resolveSibling("element-deps"), "");
    }

    /** Its entry in a configuration, with room for more keys behind it. */
    static String entry(Path elements) {
        return """
                elements-dir: %s
                diskimages:
                  - name: tiny
                    formats: [raw]
                    release: 42
                    elements: [tiny-root, manifests, gate]
                    dib-cmd: disk-image-create -n
                    metadata: {purpose: tests}
                    env-vars:
                      DIB_IMAGE_SIZE: '0.0625'
                      DIB_JOURNAL_SIZE: '4'
                      TMPDIR: HOST/tmp
                      TMP_DIR: HOST/tmp
                      DIB_IMAGE_CACHE: HOST/cache
                      DIB_LOCKFILES: HOST/locks
                """.formatted(elements);
    }
}
