package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import nodepool.api.quota.QuotaInformation;
import org.junit.jupiter.api.Test;

/** Adding and subtracting amounts of which either side may lack some. */
class QuotaArithmeticTest {

    private static final QuotaInformation NEED = QuotaInformation.needs(4, 1, 8192);

    @Test
    void what_a_limit_does_not_name_stays_unlimited() {
        QuotaInformation left = QuotaInformation.limits(Map.of("cores", 10.0)).minus(NEED);

        assertEquals(6, left.of("cores"));
        assertEquals(Double.POSITIVE_INFINITY, left.of("instances"));
        assertEquals(Double.POSITIVE_INFINITY, left.of("ram"));
        assertEquals(Double.POSITIVE_INFINITY, left.of("never named"));
    }

    @Test
    void what_a_need_does_not_name_is_nothing() {
        QuotaInformation both = NEED.plus(QuotaInformation.needs(Map.of("cores", 2.0)));

        assertEquals(6, both.of("cores"));
        assertEquals(1, both.of("instances"));
        assertEquals(0, both.of("volumes"));
    }

    @Test
    void names_of_one_side_only_are_taken_over_with_the_other_sides_default() {
        QuotaInformation gpus = QuotaInformation.needs(Map.of("gpus", 2.0));

        assertEquals(2, NEED.plus(gpus).of("gpus"));
        assertEquals(-2, NEED.minus(gpus).of("gpus"));
        assertEquals(4, NEED.minus(gpus).of("cores"));
        assertEquals(1, QuotaInformation.limits(Map.of("gpus", 3.0)).minus(gpus).of("gpus"));
    }

    @Test
    void exactly_nothing_left_fits_and_less_does_not() {
        QuotaInformation limits = QuotaInformation.limits(Map.of("cores", 8.0));

        assertTrue(limits.minus(NEED).minus(NEED).exceeded().isEmpty());
        assertEquals(
                Optional.of("cores"), limits.minus(NEED).minus(NEED).minus(NEED).exceeded());
    }
}
