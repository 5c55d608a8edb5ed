package nodepool.driver.statemachine.taskmanager;

import nodepool.api.driver.CloudException;
import nodepool.api.driver.Provider;

/** A provider with a task manager of its name, started and stopped with it. */
public abstract class BaseTaskManagerProvider implements Provider {

    private final TaskManager taskManager;

    /** @param rateLimit rate limited calls per second */
    protected BaseTaskManagerProvider(String name, double rateLimit) {
        this.taskManager = new TaskManager(name, rateLimit);
    }

    /** Where this provider's remote calls are submitted. */
    protected final TaskManager taskManager() {
        return taskManager;
    }

    @Override
    public void start() throws CloudException {
        taskManager.start();
    }

    @Override
    public void stop() {
        taskManager.stop();
        try {
            taskManager.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
