package nodepool.driver.openstack;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import nodepool.driver.openstack.cloud.Flavor;

/** Which flavor a label gets. A function of its arguments. */
final class FlavorChoice {

    private static final Comparator<Flavor> SMALL_FIRST =
            Comparator.comparingInt(Flavor::ramMib).thenComparing(Flavor::name);

    private FlavorChoice() {}

    /** With a minimum of memory: the smallest that has it and the text in its name; otherwise the one with that name or id. */
    static Optional<Flavor> choose(OpenStackLabel.Flavor wanted, List<Flavor> flavors) {
        String name = wanted.name().orElse("");
        int ram = wanted.minRam().orElse(0);
        return flavors.stream()
                .sorted(SMALL_FIRST)
                .filter(flavor -> ram > 0
                        ? flavor.ramMib() >= ram && flavor.name().contains(name)
                        : flavor.name().equals(name) || flavor.id().equals(name))
                .findFirst();
    }
}
