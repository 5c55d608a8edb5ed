package nodepool.api.config;

/**
 * A place in a configuration file.
 *
 * @param file as the operator named it
 * @param line from 1; 0 for the file as a whole
 * @param column from 1; 0 for the line as a whole
 */
public record Location(String file, int line, int column) {

    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + (column > 0 ? ":" + column : "");
    }
}
