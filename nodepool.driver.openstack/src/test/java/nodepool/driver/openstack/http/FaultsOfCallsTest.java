package nodepool.driver.openstack.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.openstack.cloud.FaultTable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the services' own words mean. */
class FaultsOfCallsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            403 | Quota exceeded for instances: Requested 1, but already used 0 of 0 instances        | QUOTA
            403 | The number of defined ports: 2 is over the limit: 0                                 | QUOTA
            403 | Maximum number of ports exceeded                                                    | QUOTA
            409 | Quota exceeded for resources: ['floatingip'].                                       | QUOTA
            413 | VolumeSizeExceedsAvailableQuota: Requested volume or snapshot exceeds allowed gigabytes quota | QUOTA
            413 | Maximum number of volumes allowed (2) exceeded for quota 'volumes'.                 | QUOTA
            409 | Multiple possible networks found, use a Network ID to be more specific.             | BAD_REQUEST
            400 | Invalid availability zone                                                           | BAD_REQUEST
            401 | The request you have made requires authentication.                                  | UNAUTHORIZED
            403 | Policy doesn't allow os_compute_api:servers:create to be performed.                 | UNAUTHORIZED
            404 | Flavor 77 could not be found.                                                       | NOT_FOUND
            429 | slow down                                                                           | RATE_LIMIT
            409 | Cannot 'delete' instance while it is in task_state x                                | TRANSIENT
            500 | Unexpected API Error.                                                               | TRANSIENT
            503 | Service Unavailable                                                                 | TRANSIENT
            """)
    void a_refusal_means(int status, String text, Fault fault) throws Exception {
        String body = new ObjectMapper().writeValueAsString(Map.of("error", Map.of("message", text)));
        Reply reply = new Reply(
                URI.create("http://cloud"),
                status,
                HttpHeaders.of(Map.of("x-openstack-request-id", List.of("req-1")), (name, value) -> true),
                new ObjectMapper().readTree(body),
                body);
        CallFailure failure = CallFailure.refused("compute POST /servers", reply, false);
        assertEquals("compute POST /servers: " + status + " " + text + " (req-1)", failure.getMessage());
        assertEquals(fault, FaultTable.of(failure).fault());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            No valid host was found. There are not enough hosts available.                            | CAPACITY
            Build of instance 1 aborted: VolumeSizeExceedsAvailableQuota                              | QUOTA
            Exceeded maximum number of retries. Exhausted all hosts available for retrying build      | CAPACITY
            disk on fire                                                                              | MACHINE_FAILED
            """)
    void a_server_in_error_means(String text, Fault fault) {
        assertEquals(fault, FaultTable.ofServer(text));
    }
}
