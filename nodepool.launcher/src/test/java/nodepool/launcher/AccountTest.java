package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Account.What;
import nodepool.api.verdict.Reason.Code;
import nodepool.api.verdict.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What anybody can read of why a request waits, failed or was served. */
class AccountTest {

    @RegisterExtension
    final LauncherScene scene = new LauncherScene();

    @Test
    void a_served_request_tells_node_by_node_how_that_came() {
        scene.launcher(Yaml.east());

        String request = scene.zuul().request("small");
        String node = scene.zuul().awaitNode(request).id();

        Account account = await(request, "fulfilled", told -> has(told, What.FULFILLED));
        assertEquals(
                List.of(What.ACCEPTED, What.NODE_BUILDING, What.NODE_SCANNING, What.NODE_READY, What.FULFILLED),
                account.timeline().stream().map(Account.Moment::what).toList());
        assertTrue(account.timeline().stream()
                .flatMap(moment -> moment.nodeId().stream())
                .allMatch(node::equals));
        assertEquals(new Verdict.Accept(), account.verdict());
    }

    @Test
    void a_waiting_request_tells_what_it_waits_for_with_the_numbers() {
        scene.launcher(Yaml.east("max-servers: 1"));
        scene.zuul().use(scene.zuul().request("small"));

        String request = scene.zuul().request("small");

        Account account = await(request, "deferred", told -> told.verdict() instanceof Verdict.Defer);
        Verdict.Defer verdict = (Verdict.Defer) account.verdict();
        assertEquals(Code.QUOTA_FULL, verdict.until().code());
        assertTrue(verdict.until().detail().contains("instances"), verdict::toString);
    }

    @Test
    void a_failed_launch_tells_the_clouds_fault_and_the_end_of_the_console() {
        scene.launcher(Yaml.labels("small")
                + "providers:\n"
                + Yaml.inProviders(
                        "launch-retries: 2", Yaml.provider("east", List.of("{name: small, console-log: true}"))));
        scene.cloud().failCreations(Fault.CAPACITY, 1);
        scene.scanner().fail(1);

        String request = scene.zuul().request("small");
        scene.zuul().awaitFailed(request);

        List<Account.Moment> failures = await(request, "declined", told -> has(told, What.DECLINED)).timeline().stream()
                .filter(moment -> moment.what() == What.LAUNCH_FAILED)
                .toList();
        assertEquals(2, failures.size());
        assertTrue(failures.get(0).detail().contains("creation failed as told"), failures::toString);
        assertEquals(Optional.empty(), failures.get(0).console());
        assertEquals(Optional.of("console of server-1"), failures.get(1).console());
    }

    @Test
    void every_pool_has_its_own_say() {
        scene.launcher(Yaml.labels("small")
                + "providers:\n"
                + Yaml.provider("east", List.of("small"), "max-servers: 0")
                + Yaml.provider("west", List.of("small"), "max-servers: 1"));

        String request = scene.zuul().request("small", "small");
        scene.zuul().awaitFailed(request);

        List<Account> accounts = scene.awaitAccounts(
                request,
                "two declined",
                all -> all.size() == 2 && all.stream().allMatch(told -> told.verdict() instanceof Verdict.Decline));
        assertEquals(Code.POOL_DISABLED, code(accounts, "east"));
        assertEquals(Code.EXCEEDS_QUOTA, code(accounts, "west"));
    }

    @Test
    void what_is_told_of_a_request_goes_with_it() {
        scene.launcher(Yaml.east("max-servers: 1"));
        scene.zuul().use(scene.zuul().request("small"));
        String request = scene.zuul().request("small");
        await(request, "deferred", told -> told.verdict() instanceof Verdict.Defer);

        scene.zuul().delete(request);

        scene.awaitAccounts(request, "none", List::isEmpty);
    }

    @Test
    void what_is_told_of_a_failure_stays_for_an_hour() {
        scene.launcher(Yaml.inProviders("launch-retries: 1", Yaml.east()));
        scene.cloud().failCreations(Fault.CAPACITY, 1);
        String request = scene.zuul().request("small");
        scene.zuul().awaitFailed(request);
        await(request, "declined", told -> has(told, What.DECLINED));

        scene.zuul().delete(request);
        scene.passTime(Duration.ofMinutes(58));
        assertEquals(1, Bell.await(scene.stores().accounts().read(request)).size());
        scene.passTime(Duration.ofMinutes(3));

        scene.awaitAccounts(request, "none", List::isEmpty);
    }

    private Account await(String request, String what, Predicate<Account> wanted) {
        return scene.awaitAccounts(request, what, all -> all.size() == 1 && wanted.test(all.get(0)))
                .get(0);
    }

    private static boolean has(Account account, What what) {
        return account.timeline().stream().anyMatch(moment -> moment.what() == what);
    }

    private static Code code(List<Account> accounts, String provider) {
        return accounts.stream()
                .filter(account -> account.provider().equals(provider))
                .map(account -> ((Verdict.Decline) account.verdict()).because().code())
                .findFirst()
                .orElseThrow();
    }
}
