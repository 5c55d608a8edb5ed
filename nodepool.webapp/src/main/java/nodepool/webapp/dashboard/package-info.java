/**
 * The dashboard's files. What it shows comes from the REST interface and the event stream, like any other client's.
 * Start reading at {@link nodepool.webapp.dashboard.DashboardPage}; the front end starts in {@code app.js}.
 */
@NullMarked
package nodepool.webapp.dashboard;

import org.jspecify.annotations.NullMarked;
