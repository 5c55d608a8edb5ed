package nodepool.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Label;
import nodepool.api.config.Location;
import nodepool.api.config.Problem;
import nodepool.api.config.Problem.Severity;
import nodepool.api.config.ProviderEntry;
import nodepool.api.config.Schema;
import nodepool.api.config.Section;
import nodepool.api.driver.Driver;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.ProviderConfig;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the entries under {@code providers} with their drivers. */
final class ProviderEntries {

    private static final String UNKNOWN_DRIVER = ": unknown driver";

    /** Serves every provider whose name begins so. */
    static final String FAKE = "fake";

    private static final Schema NAMES =
            new Schema(Schema.commonProvider().keys(), Optional.of(Schema.Type.ANY), List.of());

    private final String file;
    private final Map<String, Label> labels;
    private final Map<String, DiskImage> images;
    private final DiskImages all;
    private final Collection<Driver> drivers;
    private final Problems problems;
    private final Set<String> offered = new LinkedHashSet<>();
    private final LabelCircles circles = new LabelCircles();
    private boolean allRead = true;

    ProviderEntries(
            String file,
            Map<String, Label> labels,
            Map<String, DiskImage> images,
            DiskImages all,
            Collection<Driver> drivers,
            Problems problems) {
        this.file = file;
        this.labels = labels;
        this.images = images;
        this.all = all;
        this.drivers = drivers;
        this.problems = problems;
    }

    /** Whether it is about an entry whose driver is not here. */
    static boolean isUnknownDriver(Problem problem) {
        return problem.severity() == Severity.UNKNOWN_KEY && problem.message().contains(UNKNOWN_DRIVER);
    }

    /** The labels that some pool offers, pools with mistakes included. */
    Set<String> offeredLabels() {
        return offered;
    }

    /** Whether every entry has its driver. */
    boolean allRead() {
        return allRead;
    }

    List<ProviderEntry> read(MappingNode root) {
        List<ProviderEntry> entries = new ArrayList<>();
        NodeTuple tuple = YamlNodes.members(root).get("providers");
        if (tuple != null && tuple.getValueNode() instanceof SequenceNode list) {
            Map<String, Location> names = new LinkedHashMap<>();
            List<Node> items = list.getValue();
            for (int i = 0; i < items.size(); i++) {
                String path = "providers[" + YamlNodes.title(items.get(i), i) + "]";
                if (items.get(i) instanceof MappingNode provider) {
                    ProviderEntry entry = entry(provider, path);
                    unique(entry, names);
                    entries.add(entry);
                } else {
                    new ScalarCheck(file, false, problems).wrong(items.get(i), path, "a mapping");
                }
            }
        }
        circles.report(problems);
        return entries;
    }

    private void unique(ProviderEntry entry, Map<String, Location> names) {
        Location at = entry.section().at();
        Location first = entry.name().isEmpty() ? null : names.putIfAbsent(entry.name(), at);
        if (first != null) {
            problems.error(at, entry.section().path(), "the name " + entry.name() + " is already used at " + first);
        }
    }

    private ProviderEntry entry(MappingNode provider, String path) {
        String name = YamlNodes.scalar(provider, "name").orElse("");
        String written = YamlNodes.scalar(provider, "driver").orElse("openstack");
        String driverName = name.startsWith(FAKE) ? FAKE : written;
        Optional<Driver> driver =
                drivers.stream().filter(one -> one.name().equals(driverName)).findFirst();
        YamlSection section = new SchemaCheck(file, problems)
                .check(provider, driver.map(Driver::getSchema).orElse(NAMES), path);
        if (!driverName.equals(written) && section.has("driver")) {
            problems.warning(
                    section.at("driver"),
                    YamlNodes.join(path, "driver"),
                    "a provider whose name starts with fake is served by the driver fake although " + written
                            + " is written");
        }
        if (driver.isEmpty()) {
            allRead = false;
            problems.add(Severity.UNKNOWN_KEY, section.at("driver"), path, driverName + UNKNOWN_DRIVER + installed());
            return new ProviderEntry(name, driverName, section, Optional.empty());
        }
        circles.add(section);
        return new ProviderEntry(name, driverName, section, read(driver.get(), section, name));
    }

    private String installed() {
        List<String> names = drivers.stream().map(Driver::name).sorted().toList();
        return names.isEmpty() ? "; none is installed" : "; installed are " + String.join(", ", names);
    }

    /** A driver may be anybody's: what it throws is a mistake of this entry only. */
    private Optional<ProviderConfig> read(Driver driver, Section section, String name) {
        long before = problems.count();
        try {
            ProviderConfig config = driver.getProviderConfig(section, new Context());
            config.pools().forEach(pool -> offered.addAll(pool.labelNames()));
            new References(labels, images, all, problems).check(section, name);
            return problems.count() == before ? Optional.of(config) : Optional.empty();
        } catch (RuntimeException bug) {
            problems.error(
                    section.at(), section.path(), "the driver " + driver.name() + " failed to read this entry: " + bug);
            return Optional.empty();
        }
    }

    private final class Context implements LoadContext {
        @Override
        public Map<String, Label> labels() {
            return labels;
        }

        @Override
        public Map<String, DiskImage> diskImages() {
            return images;
        }

        @Override
        public boolean isAbstract(String diskImage) {
            return all.isAbstract(diskImage);
        }

        @Override
        public void error(Section at, String key, String message) {
            problems.error(at.at(key), YamlNodes.join(at.path(), key), message);
        }

        @Override
        public void warning(Section at, String key, String message) {
            problems.warning(at.at(key), YamlNodes.join(at.path(), key), message);
        }
    }
}
