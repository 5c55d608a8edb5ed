package nodepool.driver.statemachine;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.HostKeyScanner;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/**
 * Waits until a port answers. Gathering SSH host keys is not part of this version: a scan that asks for keys fails and says
 * so, because a node without keys would be handed over as if they had been checked.
 */
@Component(service = HostKeyScanner.class)
public final class PortScanner implements HostKeyScanner {

    private static final long RETRY_MILLIS = 500;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "port-scanner");
        made.setDaemon(true);
        return made;
    });

    @Override
    public CompletionStage<List<String>> scan(Target target) {
        if (target.gatherKeys()) {
            return CompletableFuture.failedStage(new CloudException(
                    Fault.BAD_REQUEST,
                    "this version cannot gather host keys of %s; set host-key-checking: false"
                            .formatted(target.address())));
        }
        CompletableFuture<List<String>> result = new CompletableFuture<>();
        timer.schedule(
                () -> result.completeExceptionally(new CloudException(
                        Fault.KEY_SCAN,
                        "%s:%d did not answer in %d s"
                                .formatted(
                                        target.address(),
                                        target.port(),
                                        target.within().toSeconds()))),
                target.within().toMillis(),
                TimeUnit.MILLISECONDS);
        timer.execute(() -> attempt(target, result));
        return result;
    }

    private void attempt(Target target, CompletableFuture<List<String>> result) {
        if (result.isDone()) {
            return;
        }
        try {
            AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();
            result.whenComplete((keys, failure) -> close(channel));
            channel.connect(new InetSocketAddress(target.address(), target.port()), result, new Attempt(target));
        } catch (IOException | RuntimeException failure) {
            again(target, result);
        }
    }

    private void again(Target target, CompletableFuture<List<String>> result) {
        if (!result.isDone()) {
            timer.schedule(() -> attempt(target, result), RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static void close(AsynchronousSocketChannel channel) {
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            Thread.onSpinWait();
        }
    }

    private final class Attempt implements CompletionHandler<Void, CompletableFuture<List<String>>> {
        private final Target target;

        Attempt(Target target) {
            this.target = target;
        }

        @Override
        public void completed(Void done, CompletableFuture<List<String>> result) {
            result.complete(List.of());
        }

        @Override
        public void failed(Throwable failure, CompletableFuture<List<String>> result) {
            again(target, result);
        }
    }

    @Deactivate
    void stop() {
        timer.shutdownNow();
    }
}
