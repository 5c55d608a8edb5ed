/** A Nodepool driver for @Name@. Start at {@link nodepool.driver.@name@.@Name@Driver}. */
package nodepool.driver.@name@;
