package nodepool.api.driver;

import java.util.Map;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Label;
import nodepool.api.config.Section;
import org.osgi.annotation.versioning.ProviderType;

/** The rest of the configuration, for a driver that reads its part, and a place to report mistakes to. */
@ProviderType
public interface LoadContext {

    /** All labels of the configuration by name. */
    Map<String, Label> labels();

    /** All images of the configuration by name, without abstract ones. */
    Map<String, DiskImage> diskImages();

    /** Whether that name is an abstract image. */
    boolean isAbstract(String diskImage);

    /** Reports a mistake at that key. */
    void error(Section at, String key, String message);

    /** Reports something that is probably not meant. */
    void warning(Section at, String key, String message);
}
