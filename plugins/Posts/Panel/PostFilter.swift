import Contract
import PanelKit
import PostsAPI

/// The choice of posts to list.
struct PostFilter: Equatable, Sendable {
    /// The category; nil for all.
    var category: PostCategory?
    /// The order. A search has the newest first.
    var order = PostOrder.newest
    /// Whether posts of all locations, and those without one, are listed.
    var isEverywhere = false
    /// The typed words; empty lists all.
    var words = ""
    /// The neighbourhood's space; nil for all joined ones.
    var space: Key?

    /// The longest search, in characters.
    static let wordsCharactersMax = 100

    /// The words of the search; nil if nothing is searched.
    var search: Text<1, 100>? {
        try? Text(String(words.trimmed.prefix(Self.wordsCharactersMax)), field: "text")
    }

    /// Whether the filter leaves out posts of the area.
    var isNarrow: Bool { category != nil || search != nil || space != nil }

    /// Returns the request of a page without words.
    func request(in area: MapArea?, after: Cursor?) -> ListPosts {
        let listed = listed(area)
        return ListPosts(
            neighbourhood: space.map(NameOrKey.init), category: category, order: order,
            latitude: area?.centre.north, longitude: area?.centre.east, radiusMetres: listed,
            after: after)
    }

    /// Returns the request of a page of a search.
    func request(for words: Text<1, 100>, in area: MapArea?, after: Cursor?) -> SearchPosts {
        let listed = listed(area)
        return SearchPosts(
            text: words, neighbourhood: space.map(NameOrKey.init), category: category,
            latitude: area?.centre.north, longitude: area?.centre.east, radiusMetres: listed,
            after: after)
    }

    /// The radius of the request; nil lists everywhere.
    private func listed(_ area: MapArea?) -> DistanceMetres? {
        isEverywhere ? nil : area.map { DistanceMetres(clamping: $0.radiusMetres) }
    }
}
