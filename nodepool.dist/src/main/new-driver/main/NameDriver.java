package nodepool.driver.@name@;

import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Type;
import nodepool.api.driver.Driver;
import nodepool.api.driver.ProviderContext;
import nodepool.driver.statemachine.Adapter;
import nodepool.driver.statemachine.CloudConfig;
import nodepool.driver.statemachine.CloudSchema;
import nodepool.driver.statemachine.StateMachineDriver;
import org.osgi.service.component.annotations.Component;

/** What stands in the configuration besides the usual keys, and what to make of it. */
@Component(service = Driver.class, property = Driver.NAME + "=" + @Name@Driver.NAME_IN_CONFIGURATION)
public final class @Name@Driver extends StateMachineDriver {

    static final String NAME_IN_CONFIGURATION = "@name@";

    private static final CloudSchema SCHEMA = CloudSchema.USUAL
            .withProvider(
                    Key.required("url", Type.TEXT, "Where the cloud's API is"),
                    Key.required("token", Type.SECRET, "Credential; better kept in an environment variable"))
            .withImage(Key.required("image-id", Type.TEXT, "The cloud's id of the image"))
            .withLabel(Key.required("size", Type.TEXT, "The cloud's name of the machine's size"));

    public @Name@Driver() {
        super(NAME_IN_CONFIGURATION, SCHEMA);
    }

    @Override
    protected Adapter getAdapter(CloudConfig config, ProviderContext context) {
        return new @Name@Adapter(config, context, new @Name@Api(config));
    }
}
