internal import PluginKit

/// The reviews in this person's own space.
struct StoredReviews: Hashable, Sendable {
    /// A stored review.
    struct Stored: Hashable, Sendable {
        let entity: EntityID
        let match: MatchID
        let person: PersonID
        let statement: [UInt8]
        /// Whether the other person's device has it, or whether I show it.
        let isMarked: Bool

        fileprivate init?(_ row: Row, mark: String) {
            guard let entity = row.entity("entity"), let person = row.person("person"),
                let match = row.bytes("match").flatMap({ Bytes16($0) }),
                let statement = row.bytes("statement")
            else { return nil }
            self.entity = entity
            self.match = MatchID(raw: match)
            self.person = person
            self.statement = statement
            isMarked = row.isTrue(mark)
        }
    }

    /// The reviews that I wrote; marked if they are delivered.
    private(set) var given: [Stored] = []
    /// The reviews that I received; marked if I show them.
    private(set) var received: [Stored] = []
    /// The matches that I chose not to review.
    private(set) var skipped: Set<MatchID> = []

    init() {}

    /// Reads the rows of the three tables.
    init(given: [Row], received: [Row], skipped: [Row]) {
        self.given = given.compactMap { Stored($0, mark: "is_delivered") }
        self.received = received.compactMap { Stored($0, mark: "is_shown") }
        self.skipped = Set(
            skipped.compactMap { row in
                row.bytes("match").flatMap { Bytes16($0) }.map(MatchID.init(raw:))
            })
    }

    /// The reviews that I show, the newest first.
    var shown: [Stored] {
        Array(received.filter(\.isMarked).reversed().prefix(ReviewLimits.shownMax))
    }
}

/// The reviews that a person who looks shows, as they arrive.
struct ShownReviews: Hashable, Sendable {
    /// The checked reviews by their number.
    var reviews: [UInt8: CheckedReview] = [:]
    /// The numbers of the messages that have arrived: each is checked once.
    var arrived: Set<UInt8> = []
    /// The number of reviews that the person says there are; nil before the first has arrived.
    var count: Int?
    /// The uptime at which they were asked for.
    var asked: Duration
}
