package nodepool.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.opentest4j.TestAbortedException;

/**
 * A real part that a test needs and that need not be on every machine. Where all must be (environment {@code CI=true},
 * or system property {@code nodepool.require-real-parts=true}), its absence fails the test; elsewhere it skips it.
 */
public enum RealPart {
    ZOOKEEPER("zookeeper") {
        @Override
        boolean look() {
            return ZooKeeperProcess.isInstalled();
        }
    },
    CHROMIUM("chromium") {
        @Override
        boolean look() {
            return Files.isExecutable(Path.of("/usr/bin/chromium"));
        }
    },
    SSHD("openssh-server") {
        @Override
        boolean look() {
            return Files.isExecutable(SshdProcess.PROGRAM);
        }
    },
    KAZOO("python3-kazoo") {
        @Override
        boolean look() throws IOException, InterruptedException {
            return Files.isExecutable(Path.of(Kazoo.PYTHON))
                    && Ended.of(Map.of(), Kazoo.PYTHON, "-c", "import kazoo").code() == 0;
        }
    },
    BASH("bash") {
        @Override
        boolean look() {
            return Files.isExecutable(Path.of("/bin/bash"));
        }
    },
    ZSH("zsh") {
        @Override
        boolean look() {
            return Files.isExecutable(Path.of("/usr/bin/zsh"));
        }
    },
    FISH("fish") {
        @Override
        boolean look() {
            return Files.isExecutable(Path.of("/usr/bin/fish"));
        }
    },
    /** With what it needs to make an image of its own: a loop device, a file system, a converter, sudo even for root. */
    DISKIMAGE_BUILDER("python3-diskimage-builder qemu-utils sudo") {
        @Override
        boolean look() throws IOException, InterruptedException {
            String programs = "command -v disk-image-create && command -v qemu-img && command -v sudo"
                    + " && command -v mkfs.ext4 && losetup -f";
            return Ended.of(
                                    Map.of("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
                                    "sh",
                                    "-c",
                                    programs)
                            .code()
                    == 0;
        }
    },
    PROMETHEUS("prometheus") {
        @Override
        boolean look() {
            return Files.isExecutable(Path.of("/usr/bin/promtool"))
                    && Files.isExecutable(Path.of("/usr/bin/prometheus"));
        }
    },
    /** The original daemon, which npm puts beside the test that uses it: {@code npm ci} in that folder. */
    STATSD("nodejs npm") {
        @Override
        boolean look() throws IOException, InterruptedException {
            return Files.isRegularFile(Path.of("src/test/statsd/node_modules/statsd/stats.js"))
                    && Ended.of(Map.of(), "sh", "-c", "command -v node").code() == 0;
        }
    },
    /** All its services, which {@code cloud} in the folder of the package list runs on loopback. */
    OPENSTACK("$(nodepool.driver.openstack/src/test/openstack/cloud packages)") {
        @Override
        boolean look() throws IOException, InterruptedException {
            return Ended.of(
                                            Map.of(),
                                            "/usr/bin/python3",
                                            "-c",
                                            "import keystone, glance, nova, placement, neutron, cinder,"
                                                    + " openstack, pymysql")
                                    .code()
                            == 0
                    && Files.isExecutable(Path.of("/usr/sbin/mariadbd"))
                    && Files.isExecutable(Path.of("/usr/bin/uwsgi_python3"));
        }
    };

    private final String debianPackage;

    RealPart(String debianPackage) {
        this.debianPackage = debianPackage;
    }

    abstract boolean look() throws IOException, InterruptedException;

    public boolean isThere() throws InterruptedException {
        try {
            return look();
        } catch (IOException unusable) {
            return false;
        }
    }

    /** Returns if it is there; skips or fails the test if not. */
    public void require() throws InterruptedException {
        if (!isThere()) {
            throw missing(everythingIsRequired());
        }
    }

    RuntimeException missing(boolean required) {
        String line = "needs Debian's " + debianPackage + ": apt-get install " + debianPackage;
        if (required) {
            throw new AssertionError(line);
        }
        return new TestAbortedException("skipped: " + line);
    }

    static boolean everythingIsRequired() {
        return "true".equals(System.getenv("CI")) || Boolean.getBoolean("nodepool.require-real-parts");
    }
}
