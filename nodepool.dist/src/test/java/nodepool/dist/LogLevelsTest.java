package nodepool.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.LoggerContext;
import org.junit.jupiter.api.Test;

class LogLevelsTest {

    private final LoggerContext context = new LoggerContext();
    private final LogLevels levels = new LogLevels(context);

    @Test
    void a_level_changes_at_once_for_the_logger_and_those_below() {
        levels.handle("ROOT=INFO");
        assertFalse(context.getLogger("nodepool.zk.ZooKeeper").isDebugEnabled());
        assertEquals("nodepool.zk=DEBUG", levels.handle("nodepool.zk=debug"));
        assertTrue(context.getLogger("nodepool.zk.ZooKeeper").isDebugEnabled());
        assertFalse(context.getLogger("nodepool.NodePool").isDebugEnabled());
        assertEquals("nodepool.zk.ZooKeeper=DEBUG", levels.handle("nodepool.zk.ZooKeeper"));
    }

    @Test
    void without_a_level_a_logger_follows_its_parent() {
        levels.handle("ROOT=INFO");
        levels.handle("nodepool.zk=ERROR");
        assertEquals("nodepool.zk=INFO", levels.handle("nodepool.zk="));
    }

    @Test
    void the_original_s_words_are_understood_and_used() {
        assertEquals("a=WARNING", levels.handle("a=WARNING"));
        assertEquals("a=ERROR", levels.handle("a=CRITICAL"));
        assertThrows(IllegalArgumentException.class, () -> levels.handle("a=LOUD"));
        assertThrows(IllegalArgumentException.class, () -> levels.handle("ROOT="));
    }

    @Test
    void all_levels_that_were_set_are_listed() {
        levels.handle("ROOT=INFO");
        levels.handle("nodepool.zk=DEBUG");
        assertEquals("ROOT=INFO\nnodepool.zk=DEBUG", levels.handle(""));
    }
}
