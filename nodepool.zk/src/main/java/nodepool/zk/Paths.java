package nodepool.zk;

import java.util.List;

/** Where everything lies. */
final class Paths {

    static final String ROOT = "/nodepool";
    static final String REQUESTS = ROOT + "/requests";
    static final String REQUESTS_LOCK = ROOT + "/requests-lock";
    static final String NODES = ROOT + "/nodes";
    static final String IMAGES = ROOT + "/images";
    static final String COMPONENTS = ROOT + "/components";
    /** Where pools registered before 2022. */
    static final String OLD_LAUNCHERS = ROOT + "/launchers";
    /** What is ours alone, and nobody else needs. */
    static final String ANNEX = "/nodepool-annex";

    static final String ANNEX_NODES = ANNEX + "/nodes";
    static final String ACCOUNTS = ANNEX + "/accounts";
    /** What operators want of providers. */
    static final String PROVIDERS = ANNEX + "/providers";

    /** Everything that must exist, parents first. */
    static final List<String> DIRECTORIES = List.of(
            ROOT,
            REQUESTS,
            REQUESTS_LOCK,
            NODES,
            IMAGES,
            COMPONENTS,
            COMPONENTS + "/pool",
            COMPONENTS + "/launcher",
            COMPONENTS + "/builder",
            ANNEX,
            ANNEX_NODES,
            ACCOUNTS,
            PROVIDERS);

    private Paths() {}

    static String request(String id) {
        return REQUESTS + "/" + id;
    }

    static String requestLock(String id) {
        return REQUESTS_LOCK + "/" + id;
    }

    static String node(String id) {
        return NODES + "/" + id;
    }

    static String oldLauncher(String id) {
        return OLD_LAUNCHERS + "/" + id;
    }

    static String nodeLock(String id) {
        return NODES + "/" + id + "/lock";
    }

    static String memo(String nodeId) {
        return ANNEX_NODES + "/" + nodeId;
    }

    static String provider(String provider) {
        return PROVIDERS + "/" + provider;
    }

    static String image(String image) {
        return IMAGES + "/" + image;
    }

    static String accounts(String launcherId) {
        return ACCOUNTS + "/" + launcherId;
    }

    static String account(String launcherId, String requestId) {
        return accounts(launcherId) + "/" + requestId;
    }

    static String builds(String image) {
        return image(image) + "/builds";
    }

    static String build(String image, String build) {
        return builds(image) + "/" + build;
    }

    static String uploads(String image, String build, String provider) {
        return builds(image) + "/" + build + "/providers/" + provider + "/images";
    }

    static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    static String last(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
