package nodepool.cli.verb;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.driver.Driver;
import nodepool.api.plan.ChangePlanner;
import nodepool.api.store.SessionLostException;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;

/** What commands work on: the services of a running framework, or a connection of the terminal's own. */
public interface CommandContext {

    /** The shared state; connects at the first call. */
    Stores stores() throws CommandException;

    /** Where ZooKeeper is looked for, in words. */
    String whereStoresAre();

    /** How long to wait for an answer of ZooKeeper. */
    Duration patience();

    /** The configuration, as far as it can be used without its drivers. */
    Optional<Configuration> configuration();

    /** Reads and checks the configuration file that was named, or tells of the one in force. */
    ConfigurationReader.Result validate();

    /** Reads and checks another configuration file, with the secure file of the one that {@link #validate()} looks at. */
    ConfigurationReader.Result read(Path other);

    /** Those who can foretell what a changed configuration would do. */
    Collection<ChangePlanner> planners();

    /** The drivers that are here. */
    Collection<Driver> drivers();

    /** Name and version of the bundle that a driver comes from; absent outside of a framework. */
    default Optional<String> bundleOf(Driver driver) {
        return Optional.empty();
    }

    /** How to call what {@link #validate()} looks at. */
    String configurationName();

    Clock clock();

    /** Whether results go to a terminal, which can be cleared. */
    default boolean drawsOnTerminal() {
        return false;
    }

    /** Tells the operator, on a terminal only, what is waited for, if that takes longer than a second. */
    default Waiting waiting(String what) {
        return Waiting.SILENT;
    }

    /** What the operator types next; absent at the end of the input, and where nobody can be asked. May block. */
    default Optional<String> readLine() {
        return Optional.empty();
    }

    /** The shared state as it is now, waited for if necessary. */
    default Snapshot snapshot() throws CommandException {
        return await(stores().snapshots().next());
    }

    /** What ZooKeeper answers. */
    default <T> T await(CompletionStage<T> stage) throws CommandException {
        Waiting waiting = waiting("waiting for " + whereStoresAre());
        try {
            return stage.toCompletableFuture().get(patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandException.failed("interrupted");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw cause instanceof SessionLostException
                    ? CommandException.unreachable("The connection to " + whereStoresAre() + " was lost; try again")
                    : CommandException.failed(whereStoresAre() + " refused: " + cause.getMessage());
        } catch (TimeoutException e) {
            throw CommandException.unreachable(
                    whereStoresAre() + " did not answer within " + patience().toSeconds() + " s (see --timeout)");
        } finally {
            waiting.close();
        }
    }
}
