import PanelKit
import PostsAPI

/// The list of posts at one moment: the rows, or the sentence and the one action in place of them.
struct PostsScreen: Equatable, Sendable {
    /// The one action of an empty list.
    enum Remedy: Equatable, Sendable {
        case everywhere, showAll, write, more

        /// The text of the button.
        var title: String {
            switch self {
            case .everywhere: localized("Show posts everywhere")
            case .showAll: localized("Show all posts")
            case .write: localized("Write the first post…")
            case .more: localized("More posts")
            }
        }
    }

    /// The rows.
    var entries: [PostEntry]
    /// The subject of the list.
    var heading: String
    /// The sentence in place of the rows, or about those that are left out; nil if there is none.
    var hint: String?
    /// The action that fills an empty list; nil if the list is not empty, or not known yet.
    var remedy: Remedy?
    /// The action below the rows: the next page, or those without a location; nil if there is none.
    var next: Remedy?

    /// The screen of loaded posts; nil before the first answer.
    /// - Parameter entries: the rows of the posts.
    init(
        _ loaded: LoadedPosts?, entries: [PostEntry], filter: PostFilter, area: MapArea?,
        location: Coordinate?
    ) {
        self.entries = entries
        let isLimited = !filter.isEverywhere && area != nil
        heading = Self.heading(filter, area, location)
        guard let loaded else {
            hint = localized("One moment…")
            return
        }
        hint = Self.hint(hiddenCount: loaded.hiddenCount)
        guard entries.isEmpty else {
            next = loaded.after != nil ? .more : isLimited ? .everywhere : nil
            return
        }
        let (reason, remedy) = Self.reason(loaded, filter, isLimited: isLimited)
        self.remedy = remedy
        hint = [reason, hint].compactMap { $0 }.joined(separator: " ")
    }

    /// Returns why a list is empty, and what fills it.
    private static func reason(
        _ loaded: LoadedPosts, _ filter: PostFilter, isLimited: Bool
    ) -> (String, Remedy) {
        if loaded.after != nil, filter.search != nil {
            (localized("No match among the posts searched so far."), .more)
        } else if loaded.after != nil {
            (localized("None of the newest posts is shown to you."), .more)
        } else if filter.isNarrow {
            (localized("No post matches."), .showAll)
        } else if isLimited {
            (
                localized(
                    "No posts in this part of the map. Posts without a location are listed "
                        + "everywhere."), .everywhere
            )
        } else {
            (
                localized("Nobody has written here yet, or their posts are still on the way."),
                .write
            )
        }
    }

    /// Returns the subject of a list.
    static func heading(
        _ filter: PostFilter, _ area: MapArea?, _ location: Coordinate?
    ) -> String {
        guard let area, !filter.isEverywhere else { return localized("Posts everywhere") }
        let radius = ShownDistance.radius(metres: area.radiusMetres)
        return location == area.centre
            ? localized("Within \(radius) of you")
            : localized("Within \(radius) of the middle of the map")
    }

    private static func hint(hiddenCount: Int) -> String? {
        guard hiddenCount > 0 else { return nil }
        return localized(
            Sentence(
                count: hiddenCount, one: "1 post is hidden by your settings.",
                other: "\(hiddenCount) posts are hidden by your settings."))
    }
}
