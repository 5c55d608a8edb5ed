package nodepool.cli.verb;

import java.util.List;

/** All of them. */
public final class Verbs {

    private Verbs() {}

    /** In the order of the help text. */
    public static List<Verb> all() {
        return List.of(
                new ListNodes(),
                new ListRequests(),
                new ExplainRequest(),
                new ShowProvider(),
                new ValidateConfiguration(),
                new DeleteNode(),
                new HoldNode(),
                new MakeRequest(),
                new ListBuilds(),
                new ListUploads(),
                new ShowImages(),
                new BuildImage(),
                PauseImage.pausing(),
                PauseImage.unpausing(),
                new DeleteBuild(),
                new DeleteUpload(),
                new ListAlienImages(),
                new ExportImageData(),
                new ImportImageData());
    }
}
