package nodepool.api.listing;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import nodepool.api.json.JsonValue;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One list that operators look at, with the same rows and columns in the terminal, in the shell and over HTTP. Registered as
 * a service with the property {@link #NAME}. Thread-safe; nothing here blocks.
 */
@ProviderType
public interface RecordList {

    /** Service property holding {@link #name()}. */
    String NAME = "nodepool.list";

    /** The word it is known by: {@code node-list}, {@code request-list}, … */
    String name();

    /** The columns, in the order of the table. */
    List<Field> fields();

    /**
     * What there is to list.
     *
     * @param stores asked for what a snapshot does not show
     * @param now the moment of which ages are told
     */
    CompletionStage<List<Row>> rows(Stores stores, Snapshot snapshot, Instant now);

    /** Those columns of the rows as text, with headers; every line ends with a line feed. */
    String write(Form form, List<Row> rows, List<Field> fields);

    /** Text that people, or the simplest of programs, read. */
    enum Form {
        TABLE,
        CSV
    }

    /**
     * One column.
     *
     * @param key its name for programs
     * @param header its name for people
     * @param inTable whether people are shown it; programs are shown every column
     */
    record Field(String key, String header, boolean inTable) {}

    /** One row. Immutable. */
    interface Row {

        /** The value for programs; {@code null} the JSON word where there is none, and for a key that is no column's. */
        JsonValue value(String key);
    }
}
