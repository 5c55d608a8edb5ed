package nodepool.support;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.monitor.HealthCheck;
import nodepool.api.monitor.HealthCheck.Health;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** The checks there are right now. They come and go with their bundles, hence the dynamic reference. */
@Component(service = HealthBoard.class)
public final class HealthBoard {

    private final Collection<HealthCheck> checks = new CopyOnWriteArrayList<>();

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addCheck(HealthCheck check) {
        checks.add(check);
    }

    void removeCheck(HealthCheck check) {
        checks.remove(check);
    }

    /** What every check says, by part. */
    List<Health> all() {
        return checks.stream()
                .flatMap(check -> check.check().stream())
                .sorted(Comparator.comparing(Health::part))
                .toList();
    }
}
