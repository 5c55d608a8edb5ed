package nodepool.driver.statemachine.simple;

import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Type;
import nodepool.api.driver.ProviderContext;
import nodepool.driver.statemachine.Adapter;
import nodepool.driver.statemachine.CloudConfig;
import nodepool.driver.statemachine.CloudSchema;
import nodepool.driver.statemachine.StateMachineDriver;
import nodepool.driver.statemachine.taskmanager.TaskManager;

/** A driver of a simple cloud: the author writes the adapter and the keys that only this cloud has. */
public abstract class SimpleTaskManagerDriver extends StateMachineDriver {

    /** The usual keys, and the public key that is put on machines of a cloud image. */
    public static final CloudSchema USUAL =
            CloudSchema.USUAL.withImage(Key.optional(SimpleBridge.KEY, Type.TEXT, "Public SSH key to log in with"));

    private static final double NO_LIMIT = 1000;

    /**
     * @param name the word after {@code driver:} in the configuration
     * @param schema {@link #USUAL} with the author's keys
     */
    protected SimpleTaskManagerDriver(String name, CloudSchema schema) {
        super(name, schema);
    }

    /** The calls to one cloud. Must not block. */
    protected abstract SimpleTaskManagerAdapter getSimpleAdapter(CloudConfig config);

    @Override
    protected final Adapter getAdapter(CloudConfig config, ProviderContext context) {
        TaskManager manager = new TaskManager(config.name(), config.rateLimit() > 0 ? config.rateLimit() : NO_LIMIT);
        return new SimpleBridge(config, context, manager, getSimpleAdapter(config));
    }
}
