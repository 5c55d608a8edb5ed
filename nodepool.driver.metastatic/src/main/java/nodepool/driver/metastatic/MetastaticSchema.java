package nodepool.driver.metastatic;

import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Type;

/** What may stand in an entry with {@code driver: metastatic}. */
final class MetastaticSchema {

    private static final Schema LABEL = Schema.of(
            Key.required("name", Type.TEXT, "A label of the main list"),
            Key.required("backing-label", Type.TEXT, "Label to request the backing nodes with; anybody may serve it"),
            Key.optional("max-parallel-jobs", new Type.Int(1, Integer.MAX_VALUE), "Slots on each backing node")
                    .byDefault(1),
            Key.optional("grace-time", Type.COUNT, "Seconds an unused backing node is kept")
                    .byDefault(60),
            Key.optional("min-retention-time", Type.COUNT, "Seconds a backing node is kept at least")
                    .byDefault(0),
            Key.optional("max-age", Type.COUNT, "Seconds after which a backing node gets no more nodes"),
            Key.optional("host-key-checking", Type.BOOL, "Whether each slot's host keys are gathered; the pool's"));

    private static final Schema POOL = Schema.commonPool()
            .with(
                    Key.optional("host-key-checking", Type.BOOL, "Default for the labels")
                            .byDefault(false),
                    Key.required("labels", Type.listOf(LABEL, "name"), "What it serves"));

    /** The whole entry. */
    static final Schema PROVIDER = Schema.commonProvider()
            .with(
                    Key.optional("driver", Type.TEXT, "Which driver serves it").byDefault(MetastaticDriver.METASTATIC),
                    Key.optional("boot-timeout", Type.COUNT, "Seconds for the key scan of a slot")
                            .byDefault(120),
                    Key.optional("launch-timeout", Type.COUNT, "Seconds for one attempt, the backing node included")
                            .byDefault(3600),
                    Key.optional("launch-retries", new Type.Int(1, 1000), "Attempts")
                            .byDefault(3),
                    Key.optional("rate", Type.NUMBER, "Not looked at").deprecated("it has no effect here"),
                    Key.required("pools", Type.listOf(POOL, "name"), "Pools"));

    private MetastaticSchema() {}
}
