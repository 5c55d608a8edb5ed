/**
 * What all our pages share: a question, an answer, how the two become HTTP, and what browsers are told to forbid.
 * Start reading at {@link nodepool.webapp.http.Page}.
 */
@NullMarked
package nodepool.webapp.http;

import org.jspecify.annotations.NullMarked;
