import Location

/// Somebody seen on the network.
struct NearbyPerson: Decodable, Equatable, Sendable {
    var device: String
    var person: String?
    var suffix: String
    var name: String?
    var dogName: String?
    var mate: Bool
    /// Whether this device waits for a profile drop.
    var dropOpen: Bool
    var distanceMetres: Double?
    var bearingDegrees: Double?

    /// The name with the distance, as far as each is known.
    var spelledName: String? {
        guard let name else { return nil }
        guard let distance = distanceMetres.flatMap(DistanceText.text) else { return name }
        return "\(name) (\(distance))"
    }
}

/// What "visibility show" answers: who sees my names.
struct Visibility: Decodable, Equatable, Sendable {
    /// "mates" or "everyone".
    var level: String
    /// Seconds until it is mates only again, as counted when the node answered.
    var secondsLeft: Int?

    /// Whether strangers nearby see my names now.
    var isForEveryone: Bool { level == "everyone" }
}

/// Why nobody is seen, and what to do about it.
struct EmptyReason: Decodable, Equatable, Sendable {
    var cause: String
    var fix: String?
}

/// What "nearby list" answers.
struct Nearby: Decodable, Equatable, Sendable {
    var people: [NearbyPerson]
    var emptyReason: EmptyReason?

    /// How many are here, and who of them can be named, in one line.
    var summary: String {
        guard !people.isEmpty else { return "Nobody is nearby." }
        let count = people.count == 1 ? "1 person nearby" : "\(people.count) people nearby"
        let names = people.compactMap(\.spelledName)
        let shown = names.prefix(Self.namesCountMax)
        guard !shown.isEmpty else { return count + "." }
        let rest = people.count - shown.count
        let more = rest > 0 ? " and \(rest) more" : ""
        return "\(count): \(shown.joined(separator: ", "))\(more)."
    }

    private static let namesCountMax = 3
}
