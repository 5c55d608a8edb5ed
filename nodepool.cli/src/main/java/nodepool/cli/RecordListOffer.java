package nodepool.cli;

import java.util.List;
import java.util.Map;
import nodepool.api.listing.RecordList;
import nodepool.cli.verb.RecordLists;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** Offers the lists of our commands to other bundles. */
@Component(
        service = {},
        immediate = true)
public final class RecordListOffer {

    private final List<ServiceRegistration<RecordList>> offered;

    @Activate
    public RecordListOffer(BundleContext bundle) {
        offered = RecordLists.all().stream()
                .map(list -> bundle.registerService(
                        RecordList.class, list, FrameworkUtil.asDictionary(Map.of(RecordList.NAME, list.name()))))
                .toList();
    }

    @Deactivate
    void stop() {
        offered.forEach(ServiceRegistration::unregister);
    }
}
