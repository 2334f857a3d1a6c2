internal import PluginKit
internal import PromisesAPI

/// The order of arrivals; arrivals at one moment are in the order of their keys.
struct Ranking: Hashable, Sendable {
    private let ranks: [PersonID: Int]

    /// Ranks arrivals.
    init(_ arrivals: [PersonID: Timestamp]) {
        let order = arrivals.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        ranks = Dictionary(
            order.enumerated().map { ($0.element.key, $0.offset + 1) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the rank, from 1; nil for a person who did not arrive.
    func rank(of person: PersonID) -> Int? { ranks[person] }

    /// Returns the ordinal: "1st", "2nd", "3rd", "4th".
    static func ordinal(_ rank: Int) -> Sentence {
        switch (rank % 10, rank % 100) {
        case (_, 11...13): "\(rank)th"
        case (1, _): "\(rank)st"
        case (2, _): "\(rank)nd"
        case (3, _): "\(rank)rd"
        default: "\(rank)th"
        }
    }
}

extension PromiseMedal {
    /// The medal of a rank; nil below the third.
    init?(rank: Int) {
        switch rank {
        case 1: self = .gold
        case 2: self = .silver
        case 3: self = .bronze
        default: return nil
        }
    }
}
