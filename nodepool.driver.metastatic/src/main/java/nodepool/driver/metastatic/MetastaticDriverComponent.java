package nodepool.driver.metastatic;

import nodepool.api.driver.Driver;
import org.osgi.service.component.annotations.Component;

/** Offers the driver as a service. */
@Component(service = Driver.class, property = Driver.NAME + "=" + MetastaticDriver.METASTATIC)
public final class MetastaticDriverComponent extends MetastaticDriver {}
