package nodepool.api.image;

import java.util.Optional;

/** What users of a machine made from an image are told: login name, where Python is, which shell. */
public record ImageLogin(Optional<String> username, Optional<String> pythonPath, Optional<String> shellType) {}
