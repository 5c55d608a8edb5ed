package nodepool.builder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.config.Problem;
import nodepool.api.registry.ComponentRegistry;
import nodepool.api.registry.Registration;
import nodepool.api.store.SnapshotSource.Subscription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuilderTest {

    private final Files files = new Files();
    private final Registry registry = new Registry();
    private final Builder builder = new Builder("nb01", () -> new UUID(1, 2), files, registry, Runnable::run);

    @TempDir
    private Path images;

    @Test
    void it_registers_as_a_stopped_builder_until_it_ends() {
        builder.start();
        assertEquals(
                List.of(new Registration(
                        "nb01", Registration.Kind.BUILDER, 0, "stopped", Optional.empty(), Optional.empty())),
                registry.registered);

        builder.stop();
        assertTrue(registry.registered.isEmpty());
    }

    @Test
    void it_has_an_id_once_the_configuration_names_a_directory() {
        builder.start();
        files.use(Optional.empty());
        assertEquals(Optional.empty(), builder.id());

        files.use(Optional.of(images));

        assertEquals(Optional.of(new UUID(1, 2).toString()), builder.id());
    }

    private static final class Files implements ConfigurationSource {
        private Optional<Configuration> current = Optional.empty();
        private Runnable wake = () -> {};

        void use(Optional<Path> imagesDir) {
            current = Optional.of(new Configuration(
                    Optional.empty(),
                    new Configuration.WebApp("127.0.0.1", 0),
                    new Configuration.Builder(Optional.empty(), imagesDir, Path.of("logs"), 7),
                    Map.of(),
                    Map.of(),
                    List.of(),
                    Map.of(),
                    Duration.ZERO,
                    new Configuration.Compat(false, false),
                    List.of()));
            wake.run();
        }

        @Override
        public Optional<Configuration> current() {
            return current;
        }

        @Override
        public List<Problem> problems() {
            return List.of();
        }

        @Override
        public Subscription onChange(Runnable listener) {
            wake = listener;
            return () -> wake = () -> {};
        }
    }

    private static final class Registry implements ComponentRegistry {
        private final List<Registration> registered = new ArrayList<>();

        @Override
        public CompletionStage<Own> register(Registration registration) {
            registered.add(registration);
            return CompletableFuture.completedStage(new Own() {
                @Override
                public void publish(Registration changed) {
                    throw new AssertionError("nothing changes");
                }

                @Override
                public CompletionStage<Void> close() {
                    registered.remove(registration);
                    return CompletableFuture.completedStage(null);
                }
            });
        }
    }
}
