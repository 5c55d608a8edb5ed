package nodepool.builder;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import nodepool.api.config.Configuration;
import nodepool.api.config.ProviderEntry;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.image.ImageBuild;
import nodepool.api.plan.ChangePlanner;
import nodepool.api.plan.PlannedChange;
import nodepool.api.plan.PlannedChange.Kind;
import nodepool.api.plan.PlannedChange.What;
import nodepool.builder.decision.BuildDecision;
import nodepool.builder.decision.BuildWish;
import nodepool.builder.decision.ImageFacts;
import nodepool.builder.decision.UploadWish;
import nodepool.builder.decision.Withdrawal;
import org.osgi.service.component.annotations.Component;

/**
 * What builders would do: with {@link BuildDecision}, {@link UploadWish} and {@link Withdrawal}, as when they run. Whether
 * the files of a build are still there is not looked at.
 */
@Component(service = ChangePlanner.class)
public final class BuilderChangePlanner implements ChangePlanner {

    @Override
    public List<PlannedChange> plan(Situation situation) {
        Set<PlannedChange> after = due(situation.wanted(), situation);
        after.removeAll(due(situation.running(), situation));
        return List.copyOf(after);
    }

    /** All that a builder with that configuration would do now. */
    private static Set<PlannedChange> due(Configuration configuration, Situation situation) {
        Set<PlannedChange> changes = new LinkedHashSet<>();
        builds(configuration, situation, changes);
        uploads(configuration, situation, changes);
        withdrawals(configuration, situation, changes);
        return changes;
    }

    private static void builds(Configuration configuration, Situation situation, Collection<PlannedChange> changes) {
        for (BuildWish wish : BuildWish.of(configuration)) {
            String image = wish.image().name();
            ImageFacts facts = ImageFacts.of(image, situation.snapshot(), Set.of());
            if (BuildDecision.of(wish, facts, situation.now()) instanceof BuildDecision.Build build) {
                changes.add(new PlannedChange(
                        What.BUILD, Kind.IMAGE, image, build.cause().toString()));
            }
        }
    }

    private static void uploads(Configuration configuration, Situation situation, Collection<PlannedChange> changes) {
        Set<String> providers = new HashSet<>(BuildWish.providers(configuration));
        for (ProviderEntry entry : configuration.providers()) {
            entry.config()
                    .flatMap(ProviderConfig::wantedImages)
                    .ifPresent(wanted -> UploadWish.of(
                                    entry.name(),
                                    wanted,
                                    image -> Optional.ofNullable(
                                            configuration.diskImages().get(image)),
                                    image -> ImageFacts.of(image, situation.snapshot(), providers),
                                    build -> Set.copyOf(build.formats()))
                            .forEach(wish -> changes.add(new PlannedChange(
                                    What.UPLOAD,
                                    Kind.IMAGE_BUILD,
                                    name(wish.build()),
                                    "to provider " + entry.name()))));
        }
    }

    private static void withdrawals(
            Configuration configuration, Situation situation, Collection<PlannedChange> changes) {
        Set<String> providers = new HashSet<>(BuildWish.providers(configuration));
        for (String image : new TreeSet<>(situation.snapshot().images())) {
            ImageFacts facts = ImageFacts.of(image, situation.snapshot(), providers);
            boolean configured = configuration.diskImages().containsKey(image);
            Withdrawal.of(facts, configured, CleanupWorker.listed(image, configuration))
                    .forEach(gone -> changes.add(change(gone)));
        }
    }

    private static PlannedChange change(Withdrawal gone) {
        if (gone instanceof Withdrawal.OfUpload of) {
            return new PlannedChange(
                    What.DELETE,
                    Kind.IMAGE_UPLOAD,
                    of.upload().path(),
                    of.upload().state().wireName() + ", at provider "
                            + of.upload().provider());
        } else if (gone instanceof Withdrawal.OfBuild of) {
            return new PlannedChange(
                    What.DELETE,
                    Kind.IMAGE_BUILD,
                    name(of.build()),
                    of.build().state().wireName() + ", with its files");
        } else if (gone instanceof Withdrawal.OfBuildRecord of) {
            return new PlannedChange(What.DELETE, Kind.IMAGE_BUILD, name(of.build()), "what is left of its record");
        } else if (gone instanceof Withdrawal.OfImage of) {
            return new PlannedChange(What.DELETE, Kind.IMAGE, of.image(), "nobody knows it");
        }
        throw new IllegalStateException("unknown kind of withdrawal: " + gone);
    }

    private static String name(ImageBuild build) {
        return build.image() + "-" + build.id();
    }
}
