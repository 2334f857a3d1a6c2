/// A promise as "promise list" tells it.
struct PromiseSummary: Decodable, Equatable, Sendable {
    var id: String
    var title: String
    /// Milliseconds since 1970.
    var atMs: Int64
    /// "scheduled", "tracking", "past" or "deleted".
    var phase: String
    /// "invited" or "member", or how I am out of it.
    var state: String?
    var makerName: String
    var mine: Bool
    var latitude: Double
    var longitude: Double
    var place: String?
    /// In potatoes.
    var penalty: Int64
    var peopleCount: Int
    /// How it stands with showing where I am.
    var sharing: String
}

/// What "promise list" answers.
struct PromiseList: Decodable, Equatable, Sendable {
    var promises: [PromiseSummary]
    /// Where the next page of past ones begins, where there is one.
    var next: String?
}

/// What "promise today" answers, as far as the page shows it.
struct PromiseToday: Decodable, Equatable, Sendable {
    var promises: [PromiseSummary]
    var next: String?
    var allDone: Bool
}

/// Somebody who was asked to a promise, as "promise show" tells.
struct PromisePerson: Decodable, Equatable, Sendable {
    /// Where they are on the way.
    struct Position: Decodable, Equatable, Sendable {
        var latitude: Double
        var longitude: Double
        var accuracyMetres: Double?
        /// How old it was when the node answered.
        var ageSeconds: Int64
    }

    var person: String
    var name: String
    var me: Bool
    var state: String
    var departedMs: Int64?
    var rank: Int?
    var medal: String?
    /// "4 min early", "on time" and so on.
    var latenessText: String?
    var lateness: String?
    var position: Position?
    /// "1.20 km".
    var remaining: String?
    /// From 0 to 1.
    var progress: Double?

    /// Those who arrived, as they did, and then the others by name.
    static func inOrder(_ people: [PromisePerson]) -> [PromisePerson] {
        people.sorted {
            ($0.rank ?? .max, $0.name, $0.person) < ($1.rank ?? .max, $1.name, $1.person)
        }
    }
}

/// What "promise show" answers beside its summary.
struct PromisePeople: Decodable, Equatable, Sendable {
    var people: [PromisePerson]
}

/// One line of what "promise ledger" answers.
struct LedgerPerson: Decodable, Equatable, Sendable {
    var name: String
    var me: Bool
    /// In potatoes.
    var owes: Int64
    var past: Int
    var late: Int
    var keptPercent: Double?
    var title: String
}

/// What "promise ledger" answers, as far as the page shows it.
struct LedgerList: Decodable, Equatable, Sendable {
    var people: [LedgerPerson]
}
