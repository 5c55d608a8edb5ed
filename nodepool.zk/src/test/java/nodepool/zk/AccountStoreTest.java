package nodepool.zk;

import static nodepool.zk.Scene.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import nodepool.api.store.AccountStore;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Account.Moment;
import nodepool.api.verdict.Account.What;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountStoreTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final String EAST = "host-PoolWorker.east-main-1";
    private static final String WEST = "host-PoolWorker.west-main-2";

    @TempDir
    Path folder;

    private EmbeddedZooKeeper server;
    private Scene scene;
    private AccountStore accounts;

    @BeforeEach
    void connect() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        scene = new Scene(server.connectString());
        accounts = scene.open().accounts();
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
        server.close();
    }

    private static Account account(String launcher, String request, Verdict verdict) {
        return new Account(request, "east", "main", launcher, verdict, NOW, List.of());
    }

    @Test
    void everything_an_account_says_comes_back() {
        Account whole = account(EAST, "200-0000000001", new Verdict.Defer(Reason.of(Reason.Code.QUOTA_FULL, "2 of 2")))
                .with(Moment.of(NOW, What.ACCEPTED, ""))
                .with(new Moment(NOW, What.LAUNCH_FAILED, Optional.of("0000000007"), "no disk", Optional.of("a\nb")));

        await(accounts.write(EAST, List.of(whole)));

        assertEquals(List.of(whole), await(accounts.read("200-0000000001")));
    }

    @Test
    void a_later_account_takes_the_place_of_the_earlier() {
        Account first = account(EAST, "200-0000000001", new Verdict.Accept());
        Account second = first.with(Moment.of(NOW, What.FULFILLED, "0000000007"));

        await(accounts.write(EAST, List.of(first)));
        await(accounts.write(EAST, List.of(second)));

        assertEquals(List.of(second), await(accounts.read("200-0000000001")));
    }

    @Test
    void each_pool_has_its_own_and_all_are_read() {
        Account east = account(EAST, "200-0000000001", new Verdict.Accept());
        Account west =
                account(WEST, "200-0000000001", new Verdict.Decline(Reason.of(Reason.Code.LABEL_UNKNOWN, "no big")));

        await(accounts.write(EAST, List.of(east)));
        await(accounts.write(WEST, List.of(west)));

        assertEquals(List.of(east, west), await(accounts.read("200-0000000001")));
    }

    @Test
    void what_somebody_removed_behind_our_back_is_written_again() {
        Account account = account(EAST, "200-0000000001", new Verdict.Accept());
        await(accounts.write(EAST, List.of(account)));
        await(scene.open().accounts().removeAll(EAST));

        await(accounts.write(EAST, List.of(account)));

        assertEquals(List.of(account), await(accounts.read("200-0000000001")));
    }

    @Test
    void removing_leaves_the_others_and_may_be_repeated() {
        Account first = account(EAST, "200-0000000001", new Verdict.Accept());
        Account second = account(EAST, "200-0000000002", new Verdict.Accept());
        await(accounts.write(EAST, List.of(first, second)));

        await(accounts.remove(EAST, List.of("200-0000000001")));
        await(accounts.remove(EAST, List.of("200-0000000001")));

        assertEquals(List.of(), await(accounts.read("200-0000000001")));
        assertEquals(List.of(second), await(accounts.read("200-0000000002")));
    }

    @Test
    void a_launcher_that_is_gone_leaves_nothing() throws Exception {
        await(accounts.write(EAST, List.of(account(EAST, "200-0000000001", new Verdict.Accept()))));
        assertEquals(Set.of(EAST), await(accounts.launchers()));

        await(accounts.removeAll(EAST));

        assertEquals(Set.of(), await(accounts.launchers()));
    }
}
