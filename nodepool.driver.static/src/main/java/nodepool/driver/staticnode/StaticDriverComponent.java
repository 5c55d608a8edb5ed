package nodepool.driver.staticnode;

import nodepool.api.driver.Driver;
import org.osgi.service.component.annotations.Component;

/** Offers the driver as a service. */
@Component(service = Driver.class, property = Driver.NAME + "=" + StaticDriver.STATIC)
public final class StaticDriverComponent extends StaticDriver {}
