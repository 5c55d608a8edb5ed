package nodepool.driver.openstack.clouds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the files are looked for, and how they are put together. */
class CloudFilesTest {

    @TempDir
    Path folder;

    private Path working;
    private Path home;

    @BeforeEach
    void make_folders() throws IOException {
        working = Files.createDirectory(folder.resolve("working"));
        home = Files.createDirectory(folder.resolve("home"));
    }

    @Test
    void the_working_folder_wins_over_the_home_folder() throws Exception {
        write(working.resolve("clouds.yaml"), "clouds: {here: {}}");
        write(home.resolve(".config/openstack/clouds.yaml"), "clouds: {there: {}}");
        assertEquals("{\"here\":{}}", clouds(Map.of()));
    }

    @Test
    void the_configured_folder_wins_over_the_ordinary_one() throws Exception {
        write(folder.resolve("xdg/openstack/clouds.yaml"), "clouds: {xdg: {}}");
        write(home.resolve(".config/openstack/clouds.yaml"), "clouds: {there: {}}");
        assertEquals(
                "{\"xdg\":{}}",
                clouds(Map.of("XDG_CONFIG_HOME", folder.resolve("xdg").toString())));
        assertEquals("{\"there\":{}}", clouds(Map.of()));
    }

    @Test
    void a_file_named_by_a_variable_comes_before_all_others() throws Exception {
        write(working.resolve("clouds.yaml"), "clouds: {here: {}}");
        Path named = write(folder.resolve("mine"), "clouds: {mine: {}}");
        assertEquals("{\"mine\":{}}", clouds(Map.of("OS_CLIENT_CONFIG_FILE", named.toString())));
    }

    @Test
    void a_named_file_that_is_not_there_is_passed_over() throws Exception {
        write(working.resolve("clouds.yaml"), "clouds: {here: {}}");
        assertEquals("{\"here\":{}}", clouds(Map.of("OS_CLIENT_CONFIG_FILE", "/nowhere")));
    }

    @Test
    void suffixes_are_tried_in_their_order() throws Exception {
        write(working.resolve("clouds.json"), "{\"clouds\": {\"json\": {}}}");
        assertEquals("{\"json\":{}}", clouds(Map.of()));
        write(working.resolve("clouds.yml"), "clouds: {yml: {}}");
        assertEquals("{\"yml\":{}}", clouds(Map.of()));
    }

    @Test
    void the_secure_file_is_merged_over_the_clouds_file() throws Exception {
        write(working.resolve("clouds.yaml"), "clouds: {a: {auth: {username: me, password: old}, interface: [x, y]}}");
        write(home.resolve(".config/openstack/secure.yaml"), "clouds: {a: {auth: {password: new}, interface: [z]}}");
        assertEquals(
                "{\"a\":{\"auth\":{\"username\":\"me\",\"password\":\"new\"},\"interface\":[\"z\"]}}",
                clouds(Map.of()));
    }

    @Test
    void without_any_file_there_are_no_clouds_and_the_folders_are_told() throws Exception {
        CloudFiles.Content content = new CloudFiles(Map.of(), working, home).read();
        assertTrue(content.clouds().isEmpty());
        assertEquals(List.of(), content.files());
        assertTrue(content.folders().contains(Path.of("/etc/openstack")));
    }

    @Test
    void what_is_not_yaml_is_reported_with_file_and_line_and_without_its_content() throws Exception {
        Path file = write(working.resolve("clouds.yaml"), "clouds:\n  a:\n    password: [s3cret\n  b: {}\n");
        CloudsException wrong =
                assertThrows(CloudsException.class, () -> new CloudFiles(Map.of(), working, home).read());
        assertTrue(wrong.getMessage().startsWith(file + ": not YAML, line "), wrong.getMessage());
        assertFalse(wrong.getMessage().contains("s3cret"), wrong.getMessage());
    }

    @Test
    void a_file_that_holds_a_list_is_refused() throws Exception {
        write(working.resolve("clouds.yaml"), "- a\n");
        CloudsException wrong =
                assertThrows(CloudsException.class, () -> new CloudFiles(Map.of(), working, home).read());
        assertTrue(wrong.getMessage().endsWith("expected a map"), wrong.getMessage());
    }

    private String clouds(Map<String, String> environment) throws CloudsException {
        return Trees.map(new CloudFiles(environment, working, home).read().clouds(), "clouds")
                .toString();
    }

    private static Path write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
