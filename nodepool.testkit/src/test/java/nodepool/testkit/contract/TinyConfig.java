package nodepool.testkit.contract;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.json.JsonValue;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;

/** One pool with one label. */
record TinyConfig() implements ProviderConfig {

    @Override
    public String name() {
        return "tiny";
    }

    @Override
    public String driver() {
        return "tiny";
    }

    @Override
    public int maxConcurrency() {
        return -1;
    }

    @Override
    public List<Pool> pools() {
        return List.of(new Pool());
    }

    record Pool() implements PoolConfig {
        @Override
        public String name() {
            return "main";
        }

        @Override
        public OptionalInt maxServers() {
            return OptionalInt.empty();
        }

        @Override
        public int priority() {
            return 100;
        }

        @Override
        public QuotaInformation limits() {
            return QuotaInformation.UNLIMITED;
        }

        @Override
        public JsonValue nodeAttributes() {
            return JsonValue.JsonNull.NULL;
        }

        @Override
        public Set<String> labelNames() {
            return Set.of("small");
        }

        @Override
        public List<Label> labels() {
            return List.of(new Label());
        }
    }

    record Label() implements LabelConfig {
        @Override
        public String name() {
            return "small";
        }

        @Override
        public Optional<String> diskImage() {
            return Optional.empty();
        }

        @Override
        public Optional<String> cloudImage() {
            return Optional.of("image");
        }

        @Override
        public boolean hostKeyChecking() {
            return false;
        }

        @Override
        public Node.Connection connection() {
            return Node.Connection.DEFAULT;
        }
    }
}
