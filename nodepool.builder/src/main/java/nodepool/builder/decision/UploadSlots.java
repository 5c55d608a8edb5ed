package nodepool.builder.decision;

import java.util.Collection;
import java.util.Collections;

/**
 * How many uploads run at the same time. The first one of each provider always may, so that none waits for another; only
 * further ones share what is left.
 *
 * @param shared uploads of all providers together
 */
public record UploadSlots(int shared) {

    /**
     * Whether one more upload to that provider may begin.
     *
     * @param running the provider of each upload under way
     */
    public boolean allow(String provider, Collection<String> running) {
        return Collections.frequency(running, provider) == 0 || running.size() < shared;
    }
}
