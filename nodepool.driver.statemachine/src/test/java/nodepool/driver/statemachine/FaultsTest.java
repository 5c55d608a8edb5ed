package nodepool.driver.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import nodepool.api.driver.CloudException.Fault;
import org.junit.jupiter.api.Test;

class FaultsTest {

    @Test
    void the_text_decides_before_the_status() {
        assertEquals(Fault.QUOTA, Faults.USUAL.of(403, "Quota exceeded for cores: Requested 4"));
        assertEquals(Fault.QUOTA, Faults.USUAL.of(409, "Maximum number of ports exceeded"));
        assertEquals(Fault.CAPACITY, Faults.USUAL.of(500, "No valid host was found. There are not enough hosts"));
        assertEquals(Fault.RATE_LIMIT, Faults.USUAL.of(403, "Rate limit exceeded"));
    }

    @Test
    void a_status_without_a_telling_text_has_its_usual_meaning() {
        assertEquals(Fault.UNAUTHORIZED, Faults.USUAL.of(401, ""));
        assertEquals(Fault.NOT_FOUND, Faults.USUAL.of(404, ""));
        assertEquals(Fault.RATE_LIMIT, Faults.USUAL.of(429, ""));
        assertEquals(Fault.TRANSIENT, Faults.USUAL.of(503, "oops"));
        assertEquals(Fault.BAD_REQUEST, Faults.USUAL.of(418, "short and stout"));
    }

    @Test
    void a_driver_adds_what_only_its_cloud_says() {
        assertEquals(
                Fault.CAPACITY,
                Faults.USUAL
                        .with("zone_resource_pool_exhausted", Fault.CAPACITY)
                        .of(400, "ZONE_RESOURCE_POOL_EXHAUSTED"));
    }

    @Test
    void a_machine_in_trouble_may_have_met_a_limit() {
        assertEquals(Fault.QUOTA, Faults.USUAL.ofMachine("Build aborted: exceeded quota for volumes"));
        assertEquals(Fault.MACHINE_FAILED, Faults.USUAL.ofMachine("kernel panic"));
    }
}
