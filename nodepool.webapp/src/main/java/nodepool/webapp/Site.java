package nodepool.webapp;

import jakarta.servlet.Servlet;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import nodepool.webapp.dashboard.DashboardPage;
import nodepool.webapp.http.PageServlet;
import nodepool.webapp.lists.ListPage;
import nodepool.webapp.lists.OriginalList;
import nodepool.webapp.lists.Readiness;
import nodepool.webapp.lists.ReadyPage;
import nodepool.webapp.monitor.HealthPage;
import nodepool.webapp.monitor.MetricsPage;
import nodepool.webapp.rest.Api;
import nodepool.webapp.rest.Facts;
import nodepool.webapp.stream.ChangeFeed;
import nodepool.webapp.stream.EventServlet;

/** Everything we serve, by path. */
final class Site {

    private final Map<String, Servlet> servlets = new LinkedHashMap<>();

    Site(Facts facts, ChangeFeed feed, Clock clock) {
        for (OriginalList list : OriginalList.values()) {
            servlets.put(
                    "/" + list.word(), PageServlet.shared(new ListPage(list, facts.lists(), facts.state(), clock)));
        }
        Readiness readiness = new Readiness(facts);
        servlets.put("/ready", PageServlet.shared(new ReadyPage(readiness)));
        servlets.put("/healthz", PageServlet.shared(new HealthPage(facts.health())));
        servlets.put("/metrics", PageServlet.shared(new MetricsPage(facts.metrics())));
        servlets.put(Api.ROOT + "/*", PageServlet.forPrograms(new Api(facts, clock)));
        servlets.put(Api.ROOT + "/events", new EventServlet(feed));
        servlets.put("/", PageServlet.shared(new DashboardPage(clock.instant())));
    }

    /** By the pattern of their paths, as the servlet specification writes it. */
    Map<String, Servlet> servlets() {
        return Map.copyOf(servlets);
    }
}
