package nodepool.cli.verb;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import nodepool.api.listing.RecordList;
import nodepool.api.store.Snapshot;
import nodepool.cli.output.Listing;

/** The lists of our commands, for other bundles to show. */
public final class RecordLists {

    private RecordLists() {}

    /** All of them. */
    public static List<RecordList> all() {
        return List.of(
                shown("node-list", NodeRow.LISTING, NodeRow::all),
                shown("request-list", ListRequests.LISTING, (snapshot, now) -> ListRequests.rows(snapshot)),
                shown("image-list", ListUploads.LISTING, ListUploads::rows),
                shown("dib-image-list", ListBuilds.LISTING, ListBuilds::rows),
                new ColumnList<>("image-status", ShowImages.LISTING, ShowImages::rows),
                shown("label-list", LabelRow.LISTING, (snapshot, now) -> LabelRow.all(snapshot)),
                shown("component-list", ComponentRow.LISTING, (snapshot, now) -> ComponentRow.all(snapshot)));
    }

    /** A list of which a snapshot shows everything. */
    private static <T> RecordList shown(String name, Listing<T> listing, BiFunction<Snapshot, Instant, List<T>> rows) {
        return new ColumnList<>(
                name, listing, (stores, snapshot, now) -> CompletableFuture.completedStage(rows.apply(snapshot, now)));
    }
}
