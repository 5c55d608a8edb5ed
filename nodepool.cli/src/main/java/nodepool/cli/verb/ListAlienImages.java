package nodepool.cli.verb;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import nodepool.api.config.Configuration;
import nodepool.api.config.ProviderEntry;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Driver;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.Column;
import nodepool.cli.output.Listing;

/** {@code alien-image-list}: images that carry our mark and that no record knows. */
final class ListAlienImages implements Verb {

    private record Alien(String provider, String name, String id) {}

    private static final Listing<Alien> LISTING = new Listing<>(
            List.of(
                    Column.word("provider", "Provider", Alien::provider),
                    Column.word("name", "Name", Alien::name),
                    Column.word("id", "Image ID", Alien::id)),
            List.of());

    private final Syntax syntax = LISTING.addTo(
                    Verb.named("alien-image-list", "list images not accounted for by nodepool"))
            .with(Positional.optional("PROVIDER", "only images there"))
            .example("nodepool alien-image-list east");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException, Mistake {
        Listing.View<Alien> view = LISTING.view(call.arguments());
        Configuration configuration = call.context()
                .validate()
                .configuration()
                .orElseThrow(() -> CommandException.failed(call.context().configurationName() + " cannot be used"));
        Optional<String> only = call.arguments().words().stream().findFirst();
        if (only.isPresent() && configuration.provider(only.get()).isEmpty()) {
            throw CommandException.no("Provider " + only.get() + " not found");
        }
        List<Alien> aliens = new ArrayList<>();
        for (ProviderEntry entry : configuration.providers()) {
            boolean managed =
                    entry.config().filter(ProviderConfig::manageImages).isPresent();
            if (managed && only.filter(name -> !name.equals(entry.name())).isEmpty()) {
                aliens.addAll(aliens(call, entry));
            }
        }
        view.print(aliens, call.out());
        return 0;
    }

    private static List<Alien> aliens(Call call, ProviderEntry entry) throws CommandException {
        Optional<Driver> driver = call.context().drivers().stream()
                .filter(one -> one.name().equals(entry.driver()))
                .findFirst();
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(2, task -> {
            Thread made = new Thread(task, entry.name());
            made.setDaemon(true);
            return made;
        });
        try {
            return driver.isEmpty()
                    ? List.of()
                    : aliens(
                            call,
                            entry.name(),
                            driver.get()
                                    .getProvider(
                                            entry.config().orElseThrow(),
                                            lent(call.context().stores(), call, threads)));
        } catch (CloudException | RuntimeException failure) {
            call.err().println("Exception listing alien images for " + entry.name() + ": " + failure.getMessage());
            return List.of();
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Alien> aliens(Call call, String name, Provider provider)
            throws CloudException, CommandException {
        Waiting waiting = call.context().waiting("asking provider " + name);
        try {
            provider.start();
            Optional<ManagedImages> images = provider.images();
            List<ManagedImages.Existing> existing =
                    images.isPresent() ? images.get().listImages() : List.of();
            Set<String> known = externalIds(call.context().snapshot(), name);
            return existing.stream()
                    .filter(image -> !known.contains(image.externalId()))
                    .map(image -> new Alien(name, image.name(), image.externalId()))
                    .toList();
        } finally {
            waiting.close();
            provider.stop();
        }
    }

    private static Set<String> externalIds(Snapshot snapshot, String provider) {
        Set<String> ids = new HashSet<>();
        for (String image : snapshot.images()) {
            snapshot.uploads(image).stream()
                    .filter(upload -> upload.provider().equals(provider))
                    .forEach(upload -> upload.externalId().ifPresent(ids::add));
        }
        return ids;
    }

    private static ProviderContext lent(Stores stores, Call call, ScheduledExecutorService threads) {
        return new ProviderContext(
                stores.snapshots(),
                stores.nodes(),
                stores.requests(),
                target -> CompletableFuture.failedStage(
                        new CloudException(CloudException.Fault.KEY_SCAN, "no host keys are gathered here")),
                call.context().clock(),
                threads,
                () -> {});
    }
}
