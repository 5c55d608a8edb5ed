/**
 * The REST interface under {@code /api/v1}, and the OpenAPI document that describes it, which is made from the same
 * descriptions that answer.
 * Start reading at {@link nodepool.webapp.rest.Api}.
 */
@NullMarked
package nodepool.webapp.rest;

import org.jspecify.annotations.NullMarked;
