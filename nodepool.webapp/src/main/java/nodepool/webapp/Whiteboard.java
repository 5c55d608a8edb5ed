package nodepool.webapp;

import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.servlet.whiteboard.HttpWhiteboardConstants;

/** Our servlets, offered to the HTTP server of this framework. Any other bundle can do the same. */
final class Whiteboard implements AutoCloseable {

    private final BundleContext bundle;
    private final List<ServiceRegistration<?>> offered = new ArrayList<>();

    Whiteboard(BundleContext bundle) {
        this.bundle = bundle;
    }

    /** @param patterns paths as the servlet specification writes them */
    void serve(Servlet servlet, String... patterns) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_PATTERN, patterns);
        properties.put(HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_ASYNC_SUPPORTED, true);
        offered.add(bundle.registerService(Servlet.class, servlet, FrameworkUtil.asDictionary(properties)));
    }

    /** Before every servlet of the default context, those of other bundles included. */
    void filter(Filter filter) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(HttpWhiteboardConstants.HTTP_WHITEBOARD_FILTER_PATTERN, "/*");
        properties.put(HttpWhiteboardConstants.HTTP_WHITEBOARD_FILTER_ASYNC_SUPPORTED, true);
        offered.add(bundle.registerService(Filter.class, filter, FrameworkUtil.asDictionary(properties)));
    }

    @Override
    public void close() {
        offered.forEach(ServiceRegistration::unregister);
    }
}
