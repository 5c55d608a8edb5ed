/**
 * The launcher daemon: fulfils node requests. {@link nodepool.launcher.Launcher} follows the configuration and keeps one
 * {@link nodepool.launcher.PoolWorker} per provider pool; start reading there. What a pool answers to a request is decided
 * in {@link nodepool.launcher.Placement}, from values alone.
 */
@NullMarked
package nodepool.launcher;

import org.jspecify.annotations.NullMarked;
