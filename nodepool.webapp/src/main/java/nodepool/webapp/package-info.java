/**
 * The HTTP interface: opens the port as {@code webapp:} in the configuration says, and registers our pages at the HTTP
 * whiteboard, where every other bundle can add pages of its own.
 * Start reading at {@link nodepool.webapp.WebAppComponent}.
 */
@NullMarked
package nodepool.webapp;

import org.jspecify.annotations.NullMarked;
