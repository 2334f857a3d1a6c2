import FeaturesAPI
import Location

extension NearbyList {
    /// The number of people, and the names that are known, in one line.
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

extension NearbyList.Person {
    /// The name with the distance; an unknown part is left out.
    var spelledName: String? {
        guard let name else { return nil }
        guard let distance = distanceMetres.flatMap(DistanceText.text) else { return name }
        return "\(name) (\(distance))"
    }
}

extension Visibility {
    /// Whether strangers nearby see my names now.
    var isForEveryone: Bool { level == .everyone }
}
