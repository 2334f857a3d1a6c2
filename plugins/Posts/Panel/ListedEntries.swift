import Contract
import PanelKit

/// The entries of the listed posts, which are made anew only if the posts, the minute or the user's
/// location are others: the page is shown again every second.
@MainActor
final class ListedEntries {
    private struct Cause: Equatable {
        var revision: Int
        var minute: Int64
        var location: Coordinate?
    }

    private var cause: Cause?
    private var entries: [PostEntry] = []

    /// Creates an empty list.
    init() {}

    /// Returns the entries of the posts of a model.
    func of(_ model: PostsModel, from location: Coordinate?, now: Timestamp) -> [PostEntry] {
        let wanted = Cause(
            revision: model.revision, minute: now.milliseconds / 60_000, location: location)
        if wanted != cause {
            cause = wanted
            entries = (model.loaded?.posts ?? []).map { PostEntry($0, from: location, now: now) }
        }
        return entries
    }
}
