package nodepool.api.store;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import nodepool.api.verdict.Account;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What pools have to say about requests, in a tree of our own. Each account has one writer, the pool. Nothing blocks; every
 * stage completes on the store's event thread.
 */
@ProviderType
public interface AccountStore {

    /** Stores accounts of one launcher id, many in one transaction, in place of earlier ones of the same requests. */
    CompletionStage<Void> write(String launcherId, List<Account> accounts);

    /** Removes accounts of one launcher id; missing ones are fine. */
    CompletionStage<Void> remove(String launcherId, Collection<String> requestIds);

    /** What every pool has to say about that request, in the order of their launcher ids; what cannot be read is left out. */
    CompletionStage<List<Account>> read(String requestId);

    /** Launcher ids of which there are accounts. */
    CompletionStage<Set<String>> launchers();

    /** Removes all accounts of a launcher id that is gone. */
    CompletionStage<Void> removeAll(String launcherId);
}
