package nodepool.cli.verb;

/** A wait that the operator is told of if it takes long. Close it when it is over. */
@FunctionalInterface
public interface Waiting extends AutoCloseable {

    /** A wait that nobody is told of. */
    Waiting SILENT = () -> {};

    @Override
    void close();
}
