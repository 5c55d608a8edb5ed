package nodepool.launcher;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import nodepool.api.store.Stores;
import nodepool.api.verdict.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what decisions depend on up to date, by asking the providers again: when they say that something changed, when they
 * refused what there seemed to be room for, and now and then. Confined to the launcher's loop.
 */
final class FactsKeeper {

    private static final Duration FACTS_AGE = Duration.ofMinutes(5);
    private static final Duration FIRST_DOUBT = Duration.ofSeconds(1);
    private static final Duration LONGEST_DOUBT = Duration.ofSeconds(30);
    private static final Logger log = LoggerFactory.getLogger("nodepool.NodePool");

    private final Loop loop;
    private final Clock clock;
    private final Stores stores;
    private final EventListener events;
    private final Consumer<String> changed;
    private final BackOff doubts = new BackOff(FIRST_DOUBT, LONGEST_DOUBT);
    private final Set<String> doubted = new HashSet<>();
    private final Map<String, Reason> troubles = new HashMap<>();
    private final Map<String, Instant> asked = new HashMap<>();

    /** @param changed told the name of a provider of which something else is known now */
    FactsKeeper(Loop loop, Clock clock, Stores stores, EventListener events, Consumer<String> changed) {
        this.loop = loop;
        this.clock = clock;
        this.stores = stores;
        this.events = events;
        this.changed = changed;
    }

    /** What was asked long ago is asked again. */
    void refresh(Collection<ProviderSlot> slots) {
        Instant old = clock.instant().minus(FACTS_AGE);
        for (ProviderSlot slot : slots) {
            if (slot.current().isPresent()
                    && !asked.getOrDefault(slot.name(), old).isAfter(old)) {
                learn(slot);
            }
        }
    }

    /** Asks the provider again; until it answers, less often each time. */
    void learn(ProviderSlot slot) {
        asked.put(slot.name(), clock.instant());
        slot.current()
                .ifPresent(generation -> loop.after(
                        generation.call(
                                () -> generation.readFacts(stores.snapshots().current())),
                        (facts, failure) -> {
                            if (facts != null) {
                                slot.learned(facts);
                            } else {
                                log.warn("Could not ask provider {} for its quota; the last answer stays", slot.name());
                                doubt(slot);
                            }
                            tellOfTrouble(slot);
                            changed.accept(slot.name());
                        }));
    }

    /** The provider has just answered all that is asked of it. */
    void answered(ProviderSlot slot) {
        asked.put(slot.name(), clock.instant());
        tellOfTrouble(slot);
    }

    /** The provider refused what it seemed to have room for: it is asked again, less often each time. */
    void doubt(ProviderSlot slot) {
        String provider = slot.name();
        if (doubted.add(provider)) {
            loop.in(doubts.failed(provider, clock.instant()), () -> {
                doubted.remove(provider);
                if (!slot.isRemoved()) {
                    learn(slot);
                }
            });
        }
    }

    /** Tells whoever listens, if a provider came into trouble or out of it. */
    void tellOfTrouble(ProviderSlot slot) {
        Optional<Reason> now = slot.trouble();
        if (!now.equals(Optional.ofNullable(troubles.get(slot.name())))) {
            now.ifPresentOrElse(why -> troubles.put(slot.name(), why), () -> troubles.remove(slot.name()));
            events.on(new Event.ProviderChanged(slot.name(), now));
        }
    }

    /** A provider is gone. */
    void forget(String provider) {
        troubles.remove(provider);
        asked.remove(provider);
    }
}
