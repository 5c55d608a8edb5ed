package nodepool.cli;

import java.time.Clock;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;

/** What commands work on: the services of a running framework, or a connection of the terminal's own. */
interface CommandContext {

    /** The shared state; connects at the first call. */
    Stores stores() throws CommandException;

    /** The shared state as it is now, waited for if necessary. */
    Snapshot snapshot() throws CommandException;

    /** Reads the configuration file that was named, or the one in force. */
    ConfigurationReader.Result readConfiguration() throws CommandException;

    Clock clock();
}
