package nodepool.webapp.http;

/** Why a question gets no other answer; the text is shown to whoever asked. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /** @param status of HTTP, 4xx or 5xx */
    public Refusal(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /** Nothing of that name is here. */
    public static Refusal notFound(String message) {
        return new Refusal(404, message);
    }

    /** What was sent makes no sense. */
    public static Refusal badRequest(String message) {
        return new Refusal(400, message);
    }

    /** Cannot be said right now. */
    public static Refusal unavailable(String message) {
        return new Refusal(503, message);
    }

    public int status() {
        return status;
    }
}
