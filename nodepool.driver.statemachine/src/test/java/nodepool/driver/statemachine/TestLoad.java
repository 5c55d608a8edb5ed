package nodepool.driver.statemachine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Label;
import nodepool.api.config.Section;
import nodepool.api.driver.LoadContext;

/** A configuration with one label, {@code small}, that keeps what is reported to it. */
public record TestLoad(List<String> errors) implements LoadContext {

    public TestLoad() {
        this(new ArrayList<>());
    }

    @Override
    public Map<String, Label> labels() {
        return Map.of("small", new Label("small", 0, Duration.ZERO));
    }

    @Override
    public Map<String, DiskImage> diskImages() {
        return Map.of();
    }

    @Override
    public boolean isAbstract(String diskImage) {
        return false;
    }

    @Override
    public void error(Section at, String key, String message) {
        errors.add(key + ": " + message);
    }

    @Override
    public void warning(Section at, String key, String message) {
        errors.add("warning: " + key + ": " + message);
    }
}
