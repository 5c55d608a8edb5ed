package nodepool.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import nodepool.api.command.Command;
import nodepool.api.event.Event;
import nodepool.api.monitor.HealthCheck.Health;
import nodepool.api.verdict.Reason;
import nodepool.testkit.ManualClock;
import org.junit.jupiter.api.Test;

class CommandsTest {

    private final StringWriter printed = new StringWriter();

    @Test
    void health_lists_every_part_and_fails_when_one_is_not_ready() {
        HealthBoard board = new HealthBoard();
        board.addCheck(() -> List.of(Health.ok("zookeeper", "127.0.0.1:2181"), Health.degraded("a", "slow")));
        assertEquals(0, run(new HealthCommand(board)));
        assertEquals("degraded a: slow\nok       zookeeper: 127.0.0.1:2181\n", printed.toString());
        board.addCheck(() -> List.of(Health.starting("provider rax", "not yet")));
        assertEquals(1, run(new HealthCommand(board)));
    }

    @Test
    void a_pool_that_does_not_pass_is_told_and_forgotten_at_last() {
        ManualClock clock = new ManualClock();
        WorkHealth health = new WorkHealth(clock);
        health.on(new Event.PoolPassed("rax", "main", Duration.ZERO));
        clock.advance(Duration.ofSeconds(30));
        assertEquals(List.of(Health.ok("pool rax-main", "last pass 30 s ago")), health.check());
        clock.advance(Duration.ofMinutes(2));
        assertEquals(List.of(Health.degraded("pool rax-main", "last pass 150 s ago")), health.check());
        clock.advance(Duration.ofHours(1));
        assertEquals(List.of(), health.check());
    }

    @Test
    void a_provider_is_as_its_last_event_says() {
        WorkHealth health = new WorkHealth(new ManualClock());
        health.on(new Event.ProviderChanged("rax", Optional.of(Reason.of(Reason.Code.PROVIDER_FAILED, "no login"))));
        assertEquals(List.of(Health.failed("provider rax", "no login")), health.check());
        health.on(new Event.ProviderChanged("rax", Optional.of(Reason.of(Reason.Code.PROVIDER_DEGRADED, "slow"))));
        assertEquals(List.of(Health.degraded("provider rax", "slow")), health.check());
        health.on(new Event.ProviderChanged("rax", Optional.empty()));
        assertEquals(List.of(Health.ok("provider rax", "well")), health.check());
    }

    @Test
    void log_level_hands_logger_and_level_to_the_program() {
        List<String> wishes = new ArrayList<>();
        Command command = new LogLevelCommand(wish -> {
            wishes.add(wish);
            if (wish.endsWith("LOUD")) {
                throw new IllegalArgumentException("no such level: LOUD");
            }
            return "answer";
        });
        assertEquals(0, run(command));
        assertEquals(0, run(command, "nodepool.zk"));
        assertEquals(0, run(command, "nodepool.zk", "DEBUG"));
        assertEquals(0, run(command, "nodepool.zk", "inherit"));
        assertEquals(2, run(command, "nodepool.zk", "LOUD"));
        assertEquals(2, run(command, "a", "b", "c"));
        assertEquals(List.of("", "nodepool.zk", "nodepool.zk=DEBUG", "nodepool.zk=", "nodepool.zk=LOUD"), wishes);
        assertTrue(printed.toString().contains("no such level: LOUD"), printed::toString);
    }

    @Test
    void stack_dump_asks_the_program_for_it() {
        List<String> dumps = new ArrayList<>();
        assertEquals(0, run(new StackDumpCommand(() -> dumps.add("dump"))));
        assertEquals(2, run(new StackDumpCommand(() -> dumps.add("dump")), "now"));
        assertEquals(List.of("dump"), dumps);
    }

    private int run(Command command, String... arguments) {
        PrintWriter out = new PrintWriter(printed, true);
        return command.run(List.of(arguments), out, out);
    }
}
