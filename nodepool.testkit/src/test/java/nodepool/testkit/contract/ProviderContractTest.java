package nodepool.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import nodepool.testkit.ManualClock;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kit passes a right driver and finds every seeded flaw. */
class ProviderContractTest {

    /** The right driver, as its author would run the kit. */
    @Nested
    class Right extends ProviderContract {
        @Override
        protected CloudUnderTest openCloud(ManualClock clock, FaultPoints faults) {
            return new TinyCloud(clock, faults, Flaw.NONE);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void a_seeded_flaw_is_found(Flaw flaw) throws Exception {
        assertFalse(failures(flaw, 1).isEmpty(), "the kit has nothing to say about " + flaw);
    }

    @Test
    void a_flaw_is_found_by_the_case_that_is_about_it() throws Exception {
        assertEquals(
                Set.of("stopped_generations_leave_no_thread_of_their_own"),
                failures(Flaw.KEEPS_A_THREAD, Integer.MAX_VALUE));
        assertEquals(
                Set.of("the_machines_of_others_are_listed_too"), failures(Flaw.LISTS_ONLY_ITS_OWN, Integer.MAX_VALUE));
    }

    /** Names of the first cases that fail. */
    private static Set<String> failures(Flaw flaw, int enough) throws Exception {
        ProviderContract contract = new Flawed(flaw);
        Set<String> failures = new TreeSet<>();
        List<Method> methods = Stream.of(GenerationContract.class, ProviderContract.class)
                .flatMap(kit -> Arrays.stream(kit.getDeclaredMethods()))
                .toList();
        for (Method method : methods) {
            boolean test = method.isAnnotationPresent(Test.class);
            if (failures.size() < enough && (test || method.isAnnotationPresent(TestFactory.class))) {
                method.setAccessible(true);
                if (fails(contract, method)) {
                    failures.add(method.getName());
                }
            }
        }
        return failures;
    }

    private static boolean fails(ProviderContract contract, Method method) throws Exception {
        try {
            Object result = method.invoke(contract);
            if (result instanceof Stream<?> cases) {
                for (Object one : cases.toList()) {
                    ((DynamicTest) one).getExecutable().execute();
                }
            }
            return false;
        } catch (InvocationTargetException e) {
            return isFailure(e.getCause());
        } catch (Throwable e) {
            return isFailure(e);
        }
    }

    private static boolean isFailure(Throwable thrown) throws Exception {
        if (thrown instanceof AssertionError || thrown instanceof nodepool.api.driver.CloudException) {
            return true;
        }
        throw new IllegalStateException("the kit itself is broken: " + Arrays.toString(thrown.getStackTrace()), thrown);
    }
}
