internal import MatchingAPI
internal import PluginKit

extension Matching {
    /// The topic of the messages between the devices of two people who look.
    static let topic = "matching"
    /// The announced field that says that a person looks.
    static let seekingKey = "sk"
    /// Its only byte.
    static let seekingFlag = UInt8(ascii: "s")
    /// The kind of the inbox items and notices.
    static let inboxKind: InboxKind = "matching"

    /// My wishes, my card and my filters: one record for each person.
    static let choice = RecordCollection(
        "matching.choice/1", table: "matching_choice", spaces: [.own], isOnePerPerson: true,
        fields: [
            .init(
                1, "wishes",
                .texts(countMax: WishList.countMax, bytesMax: MatchCard.wishBytesMax),
                writer: .owner),
            .init(2, "age", .integer(0...255), writer: .owner),
            .init(3, "gender", .text(bytesMax: 16), writer: .owner),
            .init(4, "filter_gender", .text(bytesMax: 16), writer: .owner),
            .init(5, "filter_min", .integer(0...255), writer: .owner),
            .init(6, "filter_max", .integer(0...255), writer: .owner),
        ])

    /// A review that I wrote. Its id follows from the match, so there is one for each.
    static let given = RecordCollection(
        "matching.given/1", table: "matching_given", spaces: [.own],
        fields: [
            .init(1, "match", .bytes(countMax: 16), merge: .append),
            .init(2, "person", .key, merge: .append),
            .init(3, "statement", .bytes(countMax: ReviewLimits.statementBytesMax), merge: .append),
            .init(4, "at_ms", .integer(0...Timestamp.millisecondsMax), merge: .append),
            .init(5, "is_delivered", .boolean, writer: .owner),
        ])

    /// A review that I received. Its id follows from the match too.
    static let received = RecordCollection(
        "matching.received/1", table: "matching_received", spaces: [.own],
        fields: [
            .init(1, "match", .bytes(countMax: 16), merge: .append),
            .init(2, "person", .key, merge: .append),
            .init(3, "statement", .bytes(countMax: ReviewLimits.statementBytesMax), merge: .append),
            .init(4, "at_ms", .integer(0...Timestamp.millisecondsMax), merge: .append),
            .init(5, "is_shown", .boolean, writer: .owner),
        ])

    /// A match that I chose not to review. Its id follows from the match too.
    static let skipped = RecordCollection(
        "matching.skipped/1", table: "matching_skipped", spaces: [.own],
        fields: [.init(1, "match", .bytes(countMax: 16), merge: .append)])
}

/// The choice of this person, as it is stored.
struct MatchingChoice: Hashable, Sendable {
    var wishes: [String] = []
    var age: Int?
    var gender: MatchingGender?
    var filters = MatchFilters()

    init() {}

    /// Reads the stored record.
    init(_ row: Row) {
        wishes = TextsOfOthers.wishes(row.texts("wishes") ?? [])
        age = row.integer("age").flatMap { Int(exactly: $0) }
            .flatMap { (MatchingAge.min...MatchingAge.max).contains($0) ? $0 : nil }
        gender = row.text("gender").flatMap(MatchingGender.init)
        filters = MatchFilters(
            gender: row.text("filter_gender").flatMap(MatchingGender.init),
            ageMin: row.integer("filter_min").flatMap { Int(exactly: $0) },
            ageMax: row.integer("filter_max").flatMap { Int(exactly: $0) })
    }

    /// The fields of the stored record.
    var fields: [String: Value] {
        func number(_ value: Int?) -> Value { value.map { .integer(Int64($0)) } ?? .null }
        return [
            "wishes": .list(wishes.map { .text($0) }), "age": number(age),
            "gender": gender.map { .text($0.rawValue) } ?? .null,
            "filter_gender": filters.gender.map { .text($0.rawValue) } ?? .null,
            "filter_min": number(filters.ageMin), "filter_max": number(filters.ageMax),
        ]
    }
}

extension Matching {
    /// Reads my choice and my reviews.
    func readRecords() async throws {
        choice =
            try await context.replica.rows("SELECT * FROM matching_choice LIMIT 1").first
            .map { MatchingChoice($0) } ?? MatchingChoice()
        reviews = StoredReviews(
            given: try await context.replica.rows("SELECT * FROM matching_given ORDER BY stamp"),
            received: try await context.replica.rows(
                "SELECT * FROM matching_received ORDER BY stamp"),
            skipped: try await context.replica.rows("SELECT * FROM matching_skipped"))
    }
}
