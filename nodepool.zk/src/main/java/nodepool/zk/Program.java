package nodepool.zk;

import java.util.Collection;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** The program these bundles run in. It offers to end itself, as a service. */
final class Program {

    private static final String FAIL = "(nodepool.action=fail)";

    private Program() {}

    /** Asks it to stop and to say that it failed; it goes on if it does not offer that. Returns at once. */
    static void fail(BundleContext context) {
        try {
            Collection<ServiceReference<Runnable>> found = context.getServiceReferences(Runnable.class, FAIL);
            for (ServiceReference<Runnable> reference : found) {
                Runnable service = context.getService(reference);
                if (service != null) {
                    service.run();
                }
            }
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(FAIL, e);
        }
    }
}
