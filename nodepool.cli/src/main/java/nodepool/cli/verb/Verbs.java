package nodepool.cli.verb;

import java.util.ArrayList;
import java.util.List;

/** All of them. */
public final class Verbs {

    private Verbs() {}

    /** In the order of the help text. */
    public static List<Verb> all() {
        return List.of(
                ListNodes.verb(),
                ListRequests.verb(),
                ListComponents.verb(),
                ListLabels.verb(),
                ListProviders.verb("provider-list"),
                MarkProvider.pausing(),
                MarkProvider.resuming(),
                MarkProvider.draining(),
                new ListDrivers(),
                new ShowDriver(),
                new ShowRecord(),
                new ExplainRequest(),
                new ShowProvider(),
                new EraseProvider(),
                new ValidateConfiguration(),
                new ShowConfiguration(),
                new CompareConfigurations(),
                new PlanChange(),
                new DeleteNode(),
                new HoldNode(),
                new UnholdNode(),
                new MakeRequest(),
                new DeleteRequest(),
                ListBuilds.verb(),
                ListUploads.verb(),
                ShowImages.verb(),
                new BuildImage(),
                PauseImage.pausing(),
                PauseImage.unpausing(),
                new DeleteBuild(),
                new DeleteUpload(),
                new ListAlienImages(),
                new ExportImageData(),
                new ImportImageData(),
                new PrintCompletion());
    }

    /** Those of the shell of a running program: all, and what goes by another name there. */
    public static List<Verb> ofShell() {
        List<Verb> verbs = new ArrayList<>(all());
        verbs.add(ListProviders.verb("providers"));
        return List.copyOf(verbs);
    }
}
