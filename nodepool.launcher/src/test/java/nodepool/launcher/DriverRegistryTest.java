package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DriverRegistryTest {

    private final DriverRegistry drivers = new DriverRegistry();
    private final ScriptedDriver first = new ScriptedDriver(Map.of());
    private final ScriptedDriver second = new ScriptedDriver(Map.of());

    @Test
    void of_two_drivers_with_one_name_the_first_stays_until_it_is_gone() {
        drivers.addDriver(first);
        drivers.addDriver(second);
        assertEquals(Optional.of(first), drivers.find(first.name()));
        assertTrue(drivers.isHere(first));
        assertFalse(drivers.isHere(second));

        drivers.removeDriver(first);

        assertEquals(Optional.of(second), drivers.find(first.name()));
    }

    @Test
    void a_second_driver_that_goes_takes_nothing_with_it() {
        drivers.addDriver(first);
        drivers.addDriver(second);
        drivers.removeDriver(second);
        assertEquals(Optional.of(first), drivers.find(first.name()));
    }
}
