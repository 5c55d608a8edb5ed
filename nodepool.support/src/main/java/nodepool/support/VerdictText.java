package nodepool.support;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.AccountStore;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;

/** What every pool has to say about the requests at the head of the queue. */
final class VerdictText {

    private static final int REQUESTS = 50;
    private static final long PATIENCE_SECONDS = 5;

    private VerdictText() {}

    /** Reads one account after another; blocks for some seconds at most. */
    static String of(Snapshot snapshot, AccountStore accounts) {
        StringBuilder text = new StringBuilder();
        try {
            for (NodeRequest request :
                    snapshot.requests().stream().limit(REQUESTS).toList()) {
                text.append(
                        accounts
                                .read(request.id())
                                .toCompletableFuture()
                                .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                                .stream()
                                .map(VerdictText::line)
                                .collect(Collectors.joining()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            text.append("the rest cannot be read: ")
                    .append(e.getClass().getSimpleName())
                    .append('\n');
        }
        return text.toString();
    }

    private static String line(Account account) {
        return "%s %s/%s since %s: %s\n"
                .formatted(
                        account.requestId(),
                        account.provider(),
                        account.pool(),
                        account.since(),
                        answer(account.verdict()));
    }

    private static String answer(Verdict verdict) {
        if (verdict instanceof Verdict.Accept) {
            return "accepted";
        }
        return verdict instanceof Verdict.Defer defer
                ? "deferred, " + reason(defer.until())
                : "declined, " + reason(((Verdict.Decline) verdict).because());
    }

    private static String reason(Reason reason) {
        return reason.code() + " " + reason.detail();
    }
}
