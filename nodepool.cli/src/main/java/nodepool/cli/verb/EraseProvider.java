package nodepool.cli.verb;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import nodepool.api.image.ImageUpload;
import nodepool.api.node.Node;
import nodepool.api.store.HeldLock;
import nodepool.api.store.ImageStore;
import nodepool.api.store.LockedNode;
import nodepool.api.store.NodeStore;
import nodepool.api.store.Snapshot;
import nodepool.cli.options.Option;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;

/**
 * {@code erase}: removes the records of a provider's uploads and nodes, and nothing in its cloud. A record that a launcher or
 * builder has locked stays, and is named.
 */
final class EraseProvider implements Verb {

    private final Syntax syntax = Verb.named("erase", "erase provider data from ZooKeeper")
            .with(Option.flag("do not ask", "--force"), Option.flag("only say how much there is to erase", "--dry-run"))
            .with(Positional.one("PROVIDER", "name of the provider"))
            .example("nodepool erase --dry-run east");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        String provider = call.arguments().word();
        Snapshot snapshot = call.context().snapshot();
        List<ImageUpload> uploads = new ArrayList<>();
        snapshot.images()
                .forEach(image -> snapshot.uploads(image).stream()
                        .filter(upload -> upload.provider().equals(provider))
                        .forEach(uploads::add));
        List<Node> nodes = List.copyOf(snapshot.nodesOf(provider));
        if (call.arguments().has("--dry-run")) {
            call.out().printf("%d uploads and %d nodes of provider %s%n", uploads.size(), nodes.size(), provider);
            return 0;
        }
        if (!call.arguments().has("--force") && !confirmed(call, provider, uploads.size(), nodes.size())) {
            call.out().println("Aborting. No data erased.");
            return 0;
        }
        boolean all = true;
        call.out().println("Erasing build data for " + provider + "...");
        for (ImageUpload upload : uploads) {
            all &= erase(upload, call);
        }
        call.out().println("Erasing node data for " + provider + "...");
        for (Node node : nodes) {
            all &= erase(node, call);
        }
        return all ? 0 : 1;
    }

    private static boolean confirmed(Call call, String provider, int uploads, int nodes) {
        call.out().println("\nWARNING! This action is not reversible!");
        call.out()
                .printf(
                        "Erase ZooKeeper data for provider %s? These are %d uploads and %d nodes. [N/y] ",
                        provider, uploads, nodes);
        call.out().flush();
        return call.context().readLine().filter("y"::equalsIgnoreCase).isPresent();
    }

    private static boolean erase(ImageUpload upload, Call call) throws CommandException {
        ImageStore images = call.context().stores().images();
        Optional<HeldLock> lock = call.context().await(images.tryLockUpload(upload));
        if (lock.isPresent() && call.context().await(images.remove(upload, lock.get()))) {
            return true;
        }
        if (lock.isPresent()) {
            call.context().await(images.unlock(lock.get()));
        }
        boolean gone = call.context().await(images.readUpload(upload)).isEmpty();
        if (!gone) {
            call.err().println("Upload " + upload.path() + " is in use and was not erased");
        }
        return gone;
    }

    private static boolean erase(Node node, Call call) throws CommandException {
        NodeStore nodes = call.context().stores().nodes();
        Optional<LockedNode> locked = call.context().await(nodes.tryLock(node.id()));
        if (locked.isPresent()) {
            call.context().await(nodes.remove(locked.get()));
            return true;
        }
        boolean gone = call.context().await(nodes.read(node.id())).isEmpty();
        if (!gone) {
            call.err().println("Node " + node.id() + " is locked and was not erased");
        }
        return gone;
    }
}
