/// Whether a post is popular: if at least three people viewed it, or three liked it, or three
/// commented on it. What its author does for it does not count, and several comments of one person
/// count once.
struct Popularity: Hashable, Sendable {
    /// The number of people, without the author, who viewed it and chose to be counted.
    var viewers = 0
    /// The number of people, without the author, who like it.
    var likers = 0
    /// The number of people, without the author, who commented.
    var commenters = 0

    /// Whether the post is popular.
    var isPopular: Bool { max(viewers, likers, commenters) >= PostLimits.popularCountMin }
}
