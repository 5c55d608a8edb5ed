package nodepool.api.registry;

import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The running parts of Nodepool under {@code /nodepool/components}. The others' registrations are in
 * {@link nodepool.api.store.Snapshot#components()}.
 */
@ProviderType
public interface ComponentRegistry {

    /**
     * Registers until closed. After a lost session it is registered anew, with the same content. Never blocks; completes
     * when the registration is stored.
     */
    CompletionStage<Own> register(Registration registration);

    /** One registration of this process. Thread-safe. */
    @ProviderType
    interface Own {

        /** Publishes changed facts; writes nothing when they are the ones already published. Never blocks. */
        void publish(Registration changed);

        /** Withdraws the registration. Repeating it does nothing; the stage completes when it is gone. */
        CompletionStage<Void> close();
    }
}
