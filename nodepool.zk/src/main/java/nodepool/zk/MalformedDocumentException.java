package nodepool.zk;

/** What lies where a record is expected is none. The message says why, to follow the path: "is not JSON: …". */
final class MalformedDocumentException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedDocumentException(String problem) {
        super(problem);
    }
}
