package nodepool.api.store;

import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What operators ask of providers; {@link Snapshot#mark} shows it. A provider need not be configured anywhere to be marked. The
 * rules of {@link RequestStore} hold here too.
 */
@ProviderType
public interface ProviderMarks {

    /** Replaces the mark of that provider. Repeating it does nothing. */
    CompletionStage<Void> mark(String provider, ProviderMark mark);

    /** The provider serves again. Repeating it does nothing. */
    CompletionStage<Void> clear(String provider);
}
