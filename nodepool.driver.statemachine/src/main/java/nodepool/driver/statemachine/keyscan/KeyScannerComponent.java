package nodepool.driver.statemachine.keyscan;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletionStage;
import nodepool.api.driver.HostKeyScanner;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** Offers the scanner as a service. */
@Component
public final class KeyScannerComponent implements HostKeyScanner {

    private final KeyScanner scanner;

    @Activate
    public KeyScannerComponent() throws IOException {
        this.scanner = new KeyScanner(new SecureRandom(), System::nanoTime);
    }

    @Override
    public CompletionStage<List<String>> scan(Target target) {
        return scanner.scan(target);
    }

    @Deactivate
    void close() {
        scanner.close();
    }
}
