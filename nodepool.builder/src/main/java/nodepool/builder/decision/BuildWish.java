package nodepool.builder.decision;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import nodepool.api.config.Configuration;
import nodepool.api.config.DiskImage;
import nodepool.api.config.ProviderEntry;

/**
 * An image as this builder would build it.
 *
 * @param image as configured
 * @param formats its own and those of all providers that list it; empty: not for this builder
 */
public record BuildWish(DiskImage image, SortedSet<String> formats) {

    /** What that configuration wants, in the order of the file. */
    public static List<BuildWish> of(Configuration configuration) {
        List<BuildWish> wishes = new ArrayList<>();
        for (DiskImage image : configuration.diskImages().values()) {
            SortedSet<String> formats = new TreeSet<>(image.formats());
            configuration.providers().stream()
                    .flatMap(entry -> entry.config().stream())
                    .flatMap(provider -> provider.wantedImages().stream())
                    .filter(wanted -> wanted.entry(image.name()).isPresent())
                    .forEach(wanted -> formats.add(wanted.format()));
            wishes.add(new BuildWish(image, formats));
        }
        return wishes;
    }

    /** Names of the providers that manage images, whether or not they list this one. */
    public static List<String> providers(Configuration configuration) {
        return configuration.providers().stream()
                .filter(entry ->
                        entry.config().flatMap(config -> config.wantedImages()).isPresent())
                .map(ProviderEntry::name)
                .toList();
    }
}
