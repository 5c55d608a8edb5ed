/**
 * Nodes of other providers, divided into slots: each slot is offered as a node of its own. Start reading at {@link
 * nodepool.driver.metastatic.MetastaticDriver}.
 */
@NullMarked
package nodepool.driver.metastatic;

import org.jspecify.annotations.NullMarked;
