internal import PluginKit
internal import PostsAPI

/// A post as it is stored. Anybody may have written it: what breaks a rule is left out, and texts
/// are cut to their limits.
struct StoredPost: Hashable, Sendable {
    let id: EntityID
    /// The number of its space in this replica.
    let space: Int64
    let author: PersonID
    let stamp: Int64
    let category: PostCategory
    let title: String
    let text: String
    /// The nickname that the author gave.
    let name: String?
    let location: Point?
    /// The time at which it was written, as its author says; not after its stamp.
    let at: Timestamp
    /// The time of the last edit, as its author says.
    let changed: Timestamp
    let walk: PostWalk?
    /// The distance from the middle of the listed area.
    let metres: Double?
    /// Whether this person hid it.
    let isHidden: Bool
    /// Whether this person blocked its author.
    let isBlocked: Bool

    /// Reads a row of `posts_post`; nil if it is no post.
    init?(_ row: Row) {
        guard let id = row.entity("entity"), let space = row.integer("space"),
            let author = row.person("creator"), let stamp = row.integer("stamp"),
            let category = row.text("category").flatMap(PostCategory.init),
            let title = row.text("title").flatMap(PostLimits.title.clip)
        else { return nil }
        self.id = id
        self.space = space
        self.author = author
        self.stamp = stamp
        self.category = category
        self.title = title
        text = row.text("text").flatMap(PostLimits.text.clip) ?? ""
        name = row.text("name").flatMap(TextRule.nickname.clip)
        location = row.point
        let began = Timestamp(stamp: stamp)
        at = min(row.integer("at_ms").flatMap { Timestamp(exactly: $0) } ?? began, began)
        changed = max(at, row.integer("changed_ms").flatMap { Timestamp(exactly: $0) } ?? at)
        walk = Self.walk(row)
        metres = row.real("metres")
        isHidden = row.isTrue("is_hidden")
        isBlocked = row.isTrue("is_blocked")
    }

    private static func walk(_ row: Row) -> PostWalk? {
        guard let metres = row.real("walk_metres"), metres >= 0,
            let seconds = row.integer("walk_seconds"), seconds >= 0
        else { return nil }
        return PostWalk(
            distanceMetres: min(metres, PostLimits.walkMetresMax),
            elapsedSeconds: Int(clamping: min(seconds, PostLimits.walkSecondsMax)))
    }

    /// Returns the time at which it disappears unless it is renewed. A change that
    /// its author dates in the future does not make the post last longer.
    func expires(now: Timestamp) -> Timestamp { min(changed, now) + Limits.openStampAgeMax }

    /// Whether a text of the post contains a muted word.
    func isMuted(by words: MutedWords) -> Bool {
        words.matches(title) || words.matches(text) || name.map(words.matches) ?? false
    }
}

/// A comment as it is stored.
struct StoredComment: Hashable, Sendable {
    let id: EntityID
    let post: EntityID
    let space: Int64
    let author: PersonID
    let stamp: Int64
    let text: String
    let name: String?
    let isBlocked: Bool

    /// Reads a row of `posts_comment`; nil if it is no comment.
    init?(_ row: Row) {
        guard let id = row.entity("entity"), let space = row.integer("space"),
            let author = row.person("creator"), let stamp = row.integer("stamp"),
            let post = row.entity("post"),
            let text = row.text("text").flatMap(PostLimits.comment.clip)
        else { return nil }
        self.id = id
        self.space = space
        self.author = author
        self.stamp = stamp
        self.post = post
        self.text = text
        name = row.text("name").flatMap(TextRule.nickname.clip)
        isBlocked = row.isTrue("is_blocked")
    }

    /// Whether a text of the comment contains a muted word.
    func isMuted(by words: MutedWords) -> Bool {
        words.matches(text) || name.map(words.matches) ?? false
    }
}

/// The numbers of people who liked, viewed or commented on a post.
struct PostCounts: Hashable, Sendable {
    var likes = 0
    var comments = 0
    var views = 0
    var isLiked = false
    var popularity = Popularity()

    var isPopular: Bool { popularity.isPopular }
}

extension Row {
    /// The location in the columns `latitude` and `longitude`, if it is one on Earth.
    var point: Point? {
        guard let latitude = real("latitude"), let longitude = real("longitude") else {
            return nil
        }
        return try? Point(latitude: latitude, longitude: longitude)
    }
}

extension Timestamp {
    /// The millisecond of a stamp as a column has it.
    init(stamp: Int64) { self.init(milliseconds: stamp >> 16) }
}

extension PostLocation {
    /// The location as answers have it.
    init(_ point: Point) { self.init(latitude: point.latitude, longitude: point.longitude) }
}
