/// A place somebody told, with the time of the fix.
struct Place: Decodable, Equatable, Sendable {
    var latitude: Double
    var longitude: Double
    var accuracyMetres: Double?
    /// Milliseconds since 1970.
    var atMs: Int64?
    /// How old the fix was when the node answered.
    var ageSeconds: Int?

    /// The point on the map, or nil where the numbers are no place on Earth.
    var coordinate: Coordinate? { Coordinate(latitude: latitude, longitude: longitude) }
}

/// A mate, or somebody whose other half of the mateship is still missing.
struct Mate: Decodable, Equatable, Sendable {
    /// Whether both sides said yes.
    enum State: String, Decodable, Sendable {
        case mate, waiting
    }

    var person: String
    var suffix: String
    var state: State
    var profile: Profile
    /// Whether a device of theirs is linked now.
    var present: Bool
    /// Milliseconds since 1970.
    var lastExchangeMs: Int64?
    var place: Place?
}

/// What "mates list" answers.
struct MateList: Decodable, Equatable, Sendable {
    var mates: [Mate]

    /// What to call each mate, by person: two that share a name also show the end of their key.
    var names: [String: String] {
        let uses = Dictionary(grouping: mates, by: \.profile.displayName).mapValues(\.count)
        return Dictionary(
            mates.map { mate in
                let name = mate.profile.displayName
                return (mate.person, uses[name] == 1 ? name : "\(name) · \(mate.suffix)")
            }, uniquingKeysWith: { first, _ in first })
    }
}
