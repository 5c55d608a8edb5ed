package nodepool.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A certificate authority, a server on loopback and a client, as PEM files.
 *
 * @param authority the authority's certificate
 * @param server the server's certificate and key in one file
 * @param clientCertificate what {@code zookeeper-tls.cert} names
 * @param clientKey what {@code zookeeper-tls.key} names
 */
public record TlsFiles(Path authority, Path server, Path clientCertificate, Path clientKey) {

    private static final char[] PASSWORD = "nothing-secret".toCharArray();

    /** Makes the files in a folder, with the JDK's own tool. */
    public static TlsFiles make(Path folder) throws IOException, InterruptedException {
        Path store = folder.resolve("all.p12");
        generate(store, "authority", "-ext", "bc:c=ca:true", "-ext", "ku=keyCertSign");
        generate(store, "server", "-signer", "authority", "-ext", "san=ip:127.0.0.1,dns:localhost");
        generate(store, "client", "-signer", "authority", "-ext", "san=dns:client");
        try {
            KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
            return new TlsFiles(
                    write(folder.resolve("ca.pem"), certificate(keys, "authority")),
                    write(folder.resolve("server.pem"), certificate(keys, "server") + key(keys, "server")),
                    write(folder.resolve("client.pem"), certificate(keys, "client")),
                    write(folder.resolve("client-key.pem"), key(keys, "client")));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static void generate(Path store, String alias, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ZooKeeperProcess.javaHome("keytool"), "-genkeypair"));
        command.addAll(List.of("-alias", alias, "-dname", "CN=" + alias, "-keyalg", "RSA", "-validity", "30"));
        command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12"));
        command.addAll(List.of("-storepass", new String(PASSWORD)));
        command.addAll(List.of(options));
        Ended.of(Map.of(), command.toArray(String[]::new)).orFail();
    }

    private static String certificate(KeyStore keys, String alias) throws GeneralSecurityException {
        Certificate certificate = keys.getCertificate(alias);
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    private static String key(KeyStore keys, String alias) throws GeneralSecurityException {
        return pem("PRIVATE KEY", keys.getKey(alias, PASSWORD).getEncoded());
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
                + "\n-----END " + what + "-----\n";
    }

    private static Path write(Path file, String text) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }
}
