/**
 * Where the HTTP interface will live: the original's endpoints and {@code /ready}, the REST API under {@code /api}, the
 * event stream and the dashboard. Nothing of it is here in this version: no port is opened.
 */
@NullMarked
package nodepool.webapp;

import org.jspecify.annotations.NullMarked;
