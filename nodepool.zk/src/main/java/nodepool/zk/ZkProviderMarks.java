package nodepool.zk;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.store.ProviderMark;
import nodepool.api.store.ProviderMarks;
import org.apache.zookeeper.KeeperException.Code;

/** Marks of providers: empty entries in the tree of our own, each below its provider's name. */
final class ZkProviderMarks implements ProviderMarks {

    private final Definite definite;

    ZkProviderMarks(Definite definite) {
        this.definite = definite;
    }

    static String path(String provider, ProviderMark mark) {
        return Paths.provider(provider) + "/" + mark.name().toLowerCase(Locale.ROOT);
    }

    /** Between two marks there is never none. */
    @Override
    public CompletionStage<Void> mark(String provider, ProviderMark mark) {
        List<String> path = List.of(Paths.provider(provider), path(provider, mark));
        return Async.call(() -> definite.ensure(definite.handle(), path))
                .thenCompose(done -> remove(provider, Optional.of(mark)));
    }

    @Override
    public CompletionStage<Void> clear(String provider) {
        return remove(provider, Optional.empty());
    }

    private CompletableFuture<Void> remove(String provider, Optional<ProviderMark> except) {
        List<CompletableFuture<Void>> removals = new ArrayList<>();
        for (ProviderMark mark : ProviderMark.values()) {
            if (!except.equals(Optional.of(mark))) {
                removals.add(Async.call(() -> Writes.unless(
                        definite.delete(definite.handle(), path(provider, mark)),
                        List.of(Code.NONODE),
                        Async::nothing)));
            }
        }
        return CompletableFuture.allOf(removals.toArray(CompletableFuture[]::new));
    }
}
