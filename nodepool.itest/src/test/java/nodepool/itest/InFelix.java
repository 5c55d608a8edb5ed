package nodepool.itest;

import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.frameworkProperty;
import static org.ops4j.pax.exam.CoreOptions.systemPackages;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import nodepool.testkit.FreePort;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.ops4j.pax.exam.ExamSystem;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.ProbeInvoker;
import org.ops4j.pax.exam.ProbeInvokerFactory;
import org.ops4j.pax.exam.TestAddress;
import org.ops4j.pax.exam.TestProbeBuilder;
import org.ops4j.pax.exam.nat.internal.NativeTestContainer;
import org.ops4j.pax.exam.spi.PaxExamRuntime;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;

/**
 * Runs each test method of a class inside a Felix of its own, which Pax Exam fills with the bundles of the launcher's
 * assembly and the probe, a bundle of our test classes. Pax Exam itself has no driver for JUnit Jupiter.
 *
 * <p>The method's object inside is made there; JUnit's own (fields, lifecycle methods) stays outside.
 */
final class InFelix implements InvocationInterceptor {

    private static final String DRIVER = "jupiter";

    static {
        System.setProperty("pax.exam.invoker", DRIVER);
        // Ours comes from the class path, as in the product.
        System.setProperty("pax.exam.logging", "none");
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context)
            throws Throwable {
        invocation.skip();
        Path folder = Files.createTempDirectory("felix");
        ExamSystem system = PaxExamRuntime.createTestSystem(options(folder));
        NativeTestContainer container = (NativeTestContainer) PaxExamRuntime.createContainer(system);
        try {
            container.start();
            BundleContext framework = container.getSystemBundle().getBundleContext();
            offerActions(framework);
            Outcome outcome = new Outcome(new CompletableFuture<>());
            outcome.register(framework);
            TestProbeBuilder probe = system.createProbe();
            TestAddress address =
                    probe.addTest(test.getTargetClass(), test.getExecutable().getName());
            probe.setHeader("DynamicImport-Package", "*");
            try (InputStream stream = probe.build().getStream()) {
                container.installProbe(stream);
            }
            container.call(address);
            outcome.check();
        } finally {
            container.stop();
            system.clear();
            delete(folder.toFile());
        }
    }

    /** What whoever starts the framework offers to the bundles: here without effect. */
    private static void offerActions(BundleContext framework) {
        framework.registerService(
                Runnable.class, () -> {}, FrameworkUtil.asDictionary(Map.of("nodepool.action", "stack-dump")));
        framework.registerService(
                UnaryOperator.class,
                UnaryOperator.identity(),
                FrameworkUtil.asDictionary(Map.of("nodepool.action", "log-level")));
    }

    private static Option[] options(Path folder) throws IOException {
        Path installation = Installation.home().toAbsolutePath().normalize();
        List<Option> options = new ArrayList<>();
        options.add(systemPackages(
                "org.junit.jupiter.api;version=5.14",
                "org.junit.jupiter.api.function;version=5.14",
                "org.opentest4j;version=1.3",
                "nodepool.testkit"));
        Assembly assembly = Assembly.read(installation, "launcher");
        options.add(systemPackages(assembly.systemPackages().toArray(String[]::new)));
        for (Path file : assembly.bundles()) {
            options.add(bundle(file.toUri().toString()));
        }
        options.add(frameworkProperty("nodepool.config")
                .value(folder.resolve("nodepool.yaml").toString()));
        options.add(frameworkProperty("nodepool.webapp").value("false"));
        // As cnf/runtime.bnd has it: without being told where, the HTTP server does not listen.
        options.add(frameworkProperty("org.apache.felix.http.require.config").value("true"));
        options.add(frameworkProperty("nodepool.zk.embedded.port").value(Integer.toString(FreePort.find())));
        options.add(frameworkProperty(Inside.BUNDLES)
                .value(installation.resolve("bundles").toString()));
        options.add(frameworkProperty("felix.fileinstall.dir")
                .value(Files.createDirectory(folder.resolve("deploy")).toString()));
        options.add(frameworkProperty("gosh.args").value("--nointeractive"));
        // How soon the component runtime tells of changes.
        options.add(frameworkProperty("ds.service.changecount.timeout").value("50"));
        return options.toArray(Option[]::new);
    }

    private static void delete(File file) {
        Optional.ofNullable(file.listFiles()).stream().flatMap(Arrays::stream).forEach(InFelix::delete);
        file.delete();
    }

    /** What became of the test; completes when it has run, with what it threw. */
    private record Outcome(CompletableFuture<Optional<Throwable>> thrown) {

        /** Offers Pax Exam, which lives in there as a bundle with its own classes, a way to run a test method. */
        void register(BundleContext framework) throws ClassNotFoundException {
            Bundle exam = Arrays.stream(framework.getBundles())
                    .filter(bundle -> "org.ops4j.pax.exam".equals(bundle.getSymbolicName()))
                    .findFirst()
                    .orElseThrow();
            Class<?> factory = exam.loadClass(ProbeInvokerFactory.class.getName());
            Class<?> invoker = exam.loadClass(ProbeInvoker.class.getName());
            Dictionary<String, Object> properties = FrameworkUtil.asDictionary(Map.of("driver", DRIVER));
            Object service = proxy(
                    factory,
                    arguments -> proxy(invoker, none -> {
                        run(((BundleContext) arguments[0]).getBundle(), ((String) arguments[1]).split(";"));
                        return null;
                    }));
            exam.getBundleContext().registerService(factory.getName(), service, properties);
        }

        private interface Call {
            Object with(Object[] arguments) throws Throwable;
        }

        private static Object proxy(Class<?> type, Call call) {
            InvocationHandler handler = (self, method, arguments) -> switch (method.getName()) {
                case "hashCode" -> System.identityHashCode(self);
                case "equals" -> self == arguments[0];
                case "toString" -> type.getSimpleName();
                default -> call.with(arguments);
            };
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
        }

        private void run(Bundle probe, String[] expression) {
            try {
                Class<?> type = probe.loadClass(expression[0]);
                Constructor<?> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                Object inside = constructor.newInstance();
                Method method = type.getDeclaredMethod(expression[1]);
                method.setAccessible(true);
                method.invoke(inside);
                thrown.complete(Optional.empty());
            } catch (InvocationTargetException e) {
                thrown.complete(Optional.of(e.getCause()));
            } catch (ReflectiveOperationException | LinkageError e) {
                thrown.complete(Optional.of(e));
            }
        }

        void check() throws Throwable {
            Optional<Throwable> failure = thrown.get(0, TimeUnit.SECONDS);
            if (failure.isPresent()) {
                throw failure.get();
            }
        }
    }
}
