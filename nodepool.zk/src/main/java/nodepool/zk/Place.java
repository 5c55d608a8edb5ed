package nodepool.zk;

/**
 * What lies at a path.
 *
 * @param kind of entry
 * @param id of the record it belongs to; kind of component; name of the image
 * @param name of the entry itself
 */
record Place(Kind kind, String id, String name) {

    enum Kind {
        REQUEST,
        /** Whoever holds or wants the lock of a request. */
        REQUEST_CONTENDER,
        NODE,
        CONTENDER,
        COMPONENT,
        IMAGE,
        /** Whoever builds or uploads stands in here. */
        IMAGE_LOCK,
        /** What matters of it is that it is there: a mark of an image, or a contender for one of its locks. */
        FLAG,
        BUILDS,
        BUILD,
        UPLOADS_OF,
        UPLOADS,
        UPLOAD,
        /** A provider that was marked some time. */
        PROVIDER,
        /** What an operator wants of it, by being there. */
        PROVIDER_MARK,
        OTHER
    }

    private static final Place NOWHERE = new Place(Kind.OTHER, "", "");

    static Place of(String path) {
        String[] part = path.split("/");
        int depth = part.length;
        if (depth < 4) {
            return NOWHERE;
        }
        String last = part[depth - 1];
        if (path.startsWith(Paths.PROVIDERS)) {
            return depth == 4
                    ? new Place(Kind.PROVIDER, last, last)
                    : depth == 5 ? new Place(Kind.PROVIDER_MARK, part[3], last) : NOWHERE;
        }
        if (last.equals("lock")) {
            boolean guardsImage = part[2].equals("images") && (depth == 6 || depth == 10);
            return guardsImage ? new Place(Kind.IMAGE_LOCK, part[3], last) : NOWHERE;
        }
        return switch (part[2]) {
            case "requests" -> depth == 4 ? new Place(Kind.REQUEST, last, last) : NOWHERE;
            case "requests-lock" -> depth == 5 ? new Place(Kind.REQUEST_CONTENDER, part[3], last) : NOWHERE;
            case "nodes" -> node(part, last);
            case "components" -> depth == 5 ? new Place(Kind.COMPONENT, part[3], last) : NOWHERE;
            case "images" -> image(part, last);
            default -> NOWHERE;
        };
    }

    private static Place node(String[] part, String last) {
        if (part.length == 4) {
            return new Place(Kind.NODE, last, last);
        }
        return part.length == 6 && part[4].equals("lock") ? new Place(Kind.CONTENDER, part[3], last) : NOWHERE;
    }

    private static Place image(String[] part, String last) {
        return switch (part.length) {
            case 4 -> new Place(Kind.IMAGE, last, last);
            case 5 ->
                switch (last) {
                    case "builds" -> new Place(Kind.BUILDS, part[3], last);
                    case "pause", "request-build" -> new Place(Kind.FLAG, part[3], last);
                    default -> NOWHERE;
                };
            case 6 -> new Place(Kind.BUILD, part[3], last);
            case 7 -> part[5].equals("lock") ? new Place(Kind.FLAG, part[3], last) : NOWHERE;
            case 8 -> new Place(Kind.UPLOADS_OF, part[3], last);
            case 9 -> new Place(Kind.UPLOADS, part[3], last);
            case 10 -> new Place(Kind.UPLOAD, part[3], last);
            case 11 -> part[9].equals("lock") ? new Place(Kind.FLAG, part[3], last) : NOWHERE;
            default -> NOWHERE;
        };
    }
}
