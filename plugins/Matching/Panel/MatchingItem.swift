import Contract

/// The subject of an item of the inbox, as its reference names it.
enum MatchingItem: Equatable, Sendable {
    /// A request of a person.
    case request(Key)
    /// A match that stands.
    case match
    /// A match that can be reviewed.
    case review
    /// A review that arrived.
    case reviewed

    /// Reads a reference; nil if it is none of these.
    init?(_ reference: String) {
        let (word, dash, rest) = Self.parts(of: reference)
        guard dash else { return nil }
        switch word {
        case "ask":
            guard let person = try? Key(String(rest)) else { return nil }
            self = .request(person)
        case "match": self = .match
        case "review": self = .review
        case "reviewed": self = .reviewed
        default: return nil
        }
    }

    private static func parts(of reference: String) -> (Substring, Bool, Substring) {
        let word = reference.prefix { $0 != "-" }
        return (word, word.endIndex < reference.endIndex, reference[word.endIndex...].dropFirst())
    }
}
