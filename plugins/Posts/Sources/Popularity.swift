internal import PluginKit

/// Whether a post is popular: if at least three people viewed it, or three liked it, or three
/// commented on it. What its author does for it does not count, and several comments of one person
/// count once.
struct Popularity: Hashable, Sendable {
    private let author: PersonID
    private var viewers: Set<PersonID> = []
    private var likers: Set<PersonID> = []
    private var commenters: Set<PersonID> = []

    /// Counts nothing yet.
    init(author: PersonID) { self.author = author }

    /// Counts a person who chose to be counted as a viewer.
    mutating func recordView(by person: PersonID) { record(person, in: \.viewers) }

    /// Counts a person who likes the post.
    mutating func recordLike(by person: PersonID) { record(person, in: \.likers) }

    /// Counts a person who commented.
    mutating func recordComment(by person: PersonID) { record(person, in: \.commenters) }

    /// Whether the post is popular.
    var isPopular: Bool {
        max(viewers.count, likers.count, commenters.count) >= PostLimits.popularCountMin
    }

    private mutating func record(
        _ person: PersonID, in people: WritableKeyPath<Popularity, Set<PersonID>>
    ) {
        if person != author { self[keyPath: people].insert(person) }
    }
}
