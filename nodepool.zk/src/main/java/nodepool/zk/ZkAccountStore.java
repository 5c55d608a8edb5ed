package nodepool.zk;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import nodepool.api.store.AccountStore;
import nodepool.api.verdict.Account;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;

/** Accounts, one znode each, in a directory for each launcher id. */
final class ZkAccountStore implements AccountStore {

    /** Writes in one transaction: far from the size at which a server refuses it. */
    private static final int AT_ONCE = 50;

    private final Definite definite;
    /** Accounts this process has stored, so that it need not look whether they are there. */
    private final Set<String> stored = ConcurrentHashMap.newKeySet();

    ZkAccountStore(Definite definite) {
        this.definite = definite;
    }

    @Override
    public CompletionStage<Void> write(String launcherId, List<Account> accounts) {
        return Async.call(() -> {
            ZooKeeper zk = definite.handle();
            CompletableFuture<Void> done = CompletableFuture.completedFuture(Async.nothing());
            for (int from = 0; from < accounts.size(); from += AT_ONCE) {
                List<Account> some = accounts.subList(from, Math.min(accounts.size(), from + AT_ONCE));
                done = done.thenCompose(before -> writeSome(zk, launcherId, some));
            }
            return done;
        });
    }

    private CompletableFuture<Void> writeSome(ZooKeeper zk, String launcherId, List<Account> accounts) {
        List<Op> ops = new ArrayList<>();
        for (Account account : accounts) {
            String path = Paths.account(launcherId, account.requestId());
            byte[] data = JsonText.write(AccountDocument.write(account));
            ops.add(
                    stored.contains(path)
                            ? Op.setData(path, data, -1)
                            : Writes.create(path, data, CreateMode.PERSISTENT));
        }
        CompletableFuture<Void> written = definite.multi(zk, ops).thenApply(results -> {
            accounts.forEach(account -> stored.add(Paths.account(launcherId, account.requestId())));
            return Async.nothing();
        });
        return Writes.orElse(
                written,
                List.of(Code.NONODE, Code.NODEEXISTS),
                () -> definite.ensure(zk, List.of(Paths.ACCOUNTS, Paths.accounts(launcherId)))
                        .thenCompose(made -> each(accounts, account -> writeOne(zk, launcherId, account))));
    }

    /** Where the guess what is there was wrong. */
    private CompletableFuture<Void> writeOne(ZooKeeper zk, String launcherId, Account account) {
        String path = Paths.account(launcherId, account.requestId());
        byte[] data = JsonText.write(AccountDocument.write(account));
        CompletableFuture<Void> replaced = definite.set(zk, path, data).thenApply(stat -> Async.nothing());
        return Writes.orElse(
                        replaced,
                        List.of(Code.NONODE),
                        () -> definite.create(zk, path, data).thenApply(made -> Async.nothing()))
                .thenApply(done -> {
                    stored.add(path);
                    return Async.nothing();
                });
    }

    @Override
    public CompletionStage<Void> remove(String launcherId, Collection<String> requestIds) {
        return Async.call(() -> each(requestIds, id -> remove(definite.handle(), Paths.account(launcherId, id))));
    }

    private CompletableFuture<Void> remove(ZooKeeper zk, String path) {
        stored.remove(path);
        return Writes.unless(definite.delete(zk, path), List.of(Code.NONODE, Code.NOTEMPTY), Async::nothing);
    }

    private static <T> CompletableFuture<Void> each(
            Collection<T> things, java.util.function.Function<T, CompletableFuture<Void>> call) {
        return CompletableFuture.allOf(things.stream().map(call).toArray(CompletableFuture[]::new));
    }

    @Override
    public CompletionStage<List<Account>> read(String requestId) {
        return Async.call(() -> {
            ZooKeeper zk = definite.handle();
            return definite.children(zk, Paths.ACCOUNTS).thenCompose(launchers -> {
                List<CompletableFuture<Optional<Account>>> all = launchers.stream()
                        .map(launcher -> definite.get(zk, Paths.account(launcher, requestId))
                                .thenApply(found -> found.flatMap(data -> parse(launcher, requestId, data))))
                        .toList();
                return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                        .thenApply(done -> all.stream()
                                .flatMap(one -> one.join().stream())
                                .sorted(Comparator.comparing(Account::launcherId))
                                .toList());
            });
        });
    }

    private static Optional<Account> parse(String launcherId, String requestId, Session.Found found) {
        try {
            return Optional.of(AccountDocument.read(launcherId, requestId, JsonText.readObject(found.data())));
        } catch (MalformedDocumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public CompletionStage<Set<String>> launchers() {
        return Async.call(() -> definite.children(definite.handle(), Paths.ACCOUNTS)
                .thenApply(names -> (Set<String>) new HashSet<>(names)));
    }

    @Override
    public CompletionStage<Void> removeAll(String launcherId) {
        return Async.call(() -> {
            ZooKeeper zk = definite.handle();
            return definite.children(zk, Paths.accounts(launcherId))
                    .thenCompose(ids -> each(ids, id -> remove(zk, Paths.account(launcherId, id))))
                    .thenCompose(done -> remove(zk, Paths.accounts(launcherId)));
        });
    }
}
